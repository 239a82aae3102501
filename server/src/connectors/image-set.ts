import { HORIZONTAL_WIDTHS, VERTICAL_WIDTHS } from '../model/image.ts'

type Urls = Readonly<Record<string, string>>

/** An image of a vertical kind that exists in one size: the same address for every width. */
export function verticalImage(url: string): Urls {
  return Object.fromEntries(VERTICAL_WIDTHS.map((width) => [width, url]))
}

/** An image of a horizontal kind that exists in one size: the same address for every width. */
export function horizontalImage(url: string): Urls {
  return Object.fromEntries(HORIZONTAL_WIDTHS.map((width) => [width, url]))
}

/** The image set of a show that has one poster of unknown shape. */
export function posterSet(url: string): object {
  return { verticalPoster: verticalImage(url), horizontalPoster: horizontalImage(url) }
}
