import fc from 'fast-check'
import { HORIZONTAL_WIDTHS, type ShowImageSet, VERTICAL_WIDTHS } from '../../src/model/show.ts'

/** URLs as services publish them, which share their starts and ends, and malformed ones. */
export const anyUrl = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('https://a.example/w240/', 'https://a.example/ü/', ''),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', '/x.jpg'),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('', 'https://a.example/"quoted"\\', 'w240', 'w360w240'),
)

const kind = (widths: readonly string[]) =>
  fc.oneof(
    fc.record(Object.fromEntries(widths.map((width) => [width, anyUrl]))),
    anyUrl.map((base) => Object.fromEntries(widths.map((width) => [width, `${base}/${width}/x.jpg`]))),
  )

/** Image sets with both kinds of poster, whose URLs differ in their widths only, or in anything. */
export const anyImageSet = fc.record(
  {
    verticalPoster: kind(VERTICAL_WIDTHS),
    horizontalPoster: kind(HORIZONTAL_WIDTHS),
    verticalBackdrop: kind(VERTICAL_WIDTHS),
    horizontalBackdrop: kind(HORIZONTAL_WIDTHS),
  },
  { requiredKeys: ['verticalPoster', 'horizontalPoster'] },
) as unknown as fc.Arbitrary<ShowImageSet>
