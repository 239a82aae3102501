/** Widths of the vertical and of the horizontal kinds of image, in the order in which answers print them. */
export const VERTICAL_WIDTHS = ['w240', 'w360', 'w480', 'w600', 'w720'] as const
export const HORIZONTAL_WIDTHS = ['w360', 'w480', 'w720', 'w1080', 'w1440'] as const

export type VerticalImage = Readonly<Record<(typeof VERTICAL_WIDTHS)[number], string>>
export type HorizontalImage = Readonly<Record<(typeof HORIZONTAL_WIDTHS)[number], string>>

/** The images of a show: posters carry its title, backdrops carry no text. */
export interface ShowImageSet {
  readonly verticalPoster: VerticalImage
  readonly horizontalPoster: HorizontalImage
  readonly verticalBackdrop?: VerticalImage
  readonly horizontalBackdrop?: HorizontalImage
}

/** The kinds of image of a show, in the order in which answers print them. */
export const SHOW_IMAGE_KINDS = [
  { kind: 'verticalPoster', widths: VERTICAL_WIDTHS, required: true },
  { kind: 'horizontalPoster', widths: HORIZONTAL_WIDTHS, required: true },
  { kind: 'verticalBackdrop', widths: VERTICAL_WIDTHS, required: false },
  { kind: 'horizontalBackdrop', widths: HORIZONTAL_WIDTHS, required: false },
] as const

/** Addresses of every width, all of them empty. */
export function emptyUrls(widths: readonly string[]): Record<string, string> {
  return Object.fromEntries(widths.map((width) => [width, '']))
}

/** The image set of a show without posters: answers always hold both kinds of poster. */
export const EMPTY_IMAGE_SET = Object.fromEntries(
  SHOW_IMAGE_KINDS.filter(({ required }) => required).map(({ kind, widths }) => [kind, emptyUrls(widths)]),
) as unknown as ShowImageSet

/** The logos of a service or an addon. */
export interface LogoSet {
  readonly lightThemeImage: string
  readonly darkThemeImage: string
  readonly whiteImage: string
}
