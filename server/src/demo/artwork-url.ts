import { HORIZONTAL_WIDTHS, type LogoSet, type ShowImageSet, VERTICAL_WIDTHS } from '../model/show.ts'

/** Longer titles are truncated. */
const MAX_SEGMENT_LENGTH = 80
/** Prefix of a base64url title, which is less than half as long as percent-encoding in non-Latin scripts. */
const BASE64_MARK = '~'

/** Encodes a title as one path segment: percent-encoded, or base64url if that is too long. */
export function encodeTitleSegment(title: string): string {
  const text = title.includes('/') ? title.replaceAll('/', '\u2044') : title
  const encoded = encodeURIComponent(text)
  if (encoded.length <= MAX_SEGMENT_LENGTH && !text.startsWith(BASE64_MARK)) return encoded
  const packed = encodeBase64(text)
  if (packed.length <= MAX_SEGMENT_LENGTH) return packed
  const letters = [...text]
  while (encodeBase64(`${letters.join('')}…`).length > MAX_SEGMENT_LENGTH) letters.pop()
  return encodeBase64(`${letters.join('').trimEnd()}…`)
}

/** Decodes the title of a path segment. */
export function decodeTitleSegment(segment: string): string {
  if (segment.startsWith(BASE64_MARK))
    return Buffer.from(segment.slice(BASE64_MARK.length), 'base64url').toString('utf8')
  try {
    return decodeURIComponent(segment)
  } catch {
    // The HTTP server may have decoded the path already, and a title may contain a percent sign.
    return segment
  }
}

function encodeBase64(text: string): string {
  return BASE64_MARK + Buffer.from(text, 'utf8').toString('base64url')
}

/**
 * The image URLs of a show. A URL contains everything that drawing needs: the show's id, the genre, which decides the
 * mood, the kind, the width, and for posters the title. They are PNG images, which programs can save; with `.svg` in
 * place of `.png` they are drawings.
 */
export function showImages(
  baseUrl: string,
  id: string,
  genre: string,
  segment: string,
  withBackdrops: boolean,
): ShowImageSet {
  const prefix = `${baseUrl}/artwork/${id}-${genre}/`
  const file = `/${segment}.png`
  const verticalPoster = verticalImages(`${prefix}vertical-poster/`, file)
  const horizontalPoster = horizontalImages(`${prefix}horizontal-poster/`, file)
  if (!withBackdrops) return { verticalPoster, horizontalPoster }
  return {
    verticalPoster,
    horizontalPoster,
    verticalBackdrop: verticalImages(`${prefix}vertical-backdrop/`, '.png'),
    horizontalBackdrop: horizontalImages(`${prefix}horizontal-backdrop/`, '.png'),
  }
}

const [V1, V2, V3, V4, V5] = VERTICAL_WIDTHS
const [H1, H2, H3, H4, H5] = HORIZONTAL_WIDTHS

function verticalImages(prefix: string, suffix: string): ShowImageSet['verticalPoster'] {
  return {
    [V1]: prefix + V1 + suffix,
    [V2]: prefix + V2 + suffix,
    [V3]: prefix + V3 + suffix,
    [V4]: prefix + V4 + suffix,
    [V5]: prefix + V5 + suffix,
  }
}

function horizontalImages(prefix: string, suffix: string): ShowImageSet['horizontalPoster'] {
  return {
    [H1]: prefix + H1 + suffix,
    [H2]: prefix + H2 + suffix,
    [H3]: prefix + H3 + suffix,
    [H4]: prefix + H4 + suffix,
    [H5]: prefix + H5 + suffix,
  }
}

/** The logo URLs of a service, of a service in one country (`now.de`), or of an addon (`prime/starzaddon`). */
export function logoImages(baseUrl: string, brand: string): LogoSet {
  const prefix = `${baseUrl}/artwork/logo/${brand}/`
  return {
    lightThemeImage: `${prefix}light.svg`,
    darkThemeImage: `${prefix}dark.svg`,
    whiteImage: `${prefix}white.svg`,
  }
}

/** The URL of the demo page that replaces the home page of a service or an addon. */
export function homePage(baseUrl: string, service: string, part?: string): string {
  return part === undefined ? `${baseUrl}/watch/${service}` : `${baseUrl}/watch/${service}/${part}`
}
