import { HORIZONTAL_WIDTHS, type LogoSet, type ShowImageSet, VERTICAL_WIDTHS } from '../../model/image.ts'

/** The longest a title may become once it is part of a URL; what is beyond is cut. */
const MAX_SEGMENT_LENGTH = 80
/** Stands before a title that is written in base64url: in scripts other than Latin that is less than half as long. */
const BASE64_MARK = '~'

/** A title as one segment of a path: escaped, without slashes, and not too long. */
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

/** The title that a segment stands for. */
export function decodeTitleSegment(segment: string): string {
  if (segment.startsWith(BASE64_MARK))
    return Buffer.from(segment.slice(BASE64_MARK.length), 'base64url').toString('utf8')
  try {
    return decodeURIComponent(segment)
  } catch {
    // A server may have decoded the path already, and a title may hold a percent sign.
    return segment
  }
}

function encodeBase64(text: string): string {
  return BASE64_MARK + Buffer.from(text, 'utf8').toString('base64url')
}

/**
 * The images of a show. All that a drawing needs stands in its URL: the show's id, the genre that sets the mood, the
 * kind and width, and for posters the title.
 */
export function showImages(
  baseUrl: string,
  id: string,
  genre: string,
  segment: string,
  withBackdrops: boolean,
): ShowImageSet {
  const prefix = `${baseUrl}/artwork/${id}-${genre}/`
  const file = `/${segment}.svg`
  const verticalPoster = verticalImages(`${prefix}vertical-poster/`, file)
  const horizontalPoster = horizontalImages(`${prefix}horizontal-poster/`, file)
  if (!withBackdrops) return { verticalPoster, horizontalPoster }
  return {
    verticalPoster,
    horizontalPoster,
    verticalBackdrop: verticalImages(`${prefix}vertical-backdrop/`, '.svg'),
    horizontalBackdrop: horizontalImages(`${prefix}horizontal-backdrop/`, '.svg'),
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

/** The logos of a service, of a service as one country has it (`now.de`), or of an addon (`prime/starzaddon`). */
export function logoImages(baseUrl: string, brand: string): LogoSet {
  const prefix = `${baseUrl}/artwork/logo/${brand}/`
  return {
    lightThemeImage: `${prefix}light.svg`,
    darkThemeImage: `${prefix}dark.svg`,
    whiteImage: `${prefix}white.svg`,
  }
}

/** The page that stands in for a service's or an addon's home page. */
export function homePage(baseUrl: string, service: string, part?: string): string {
  return part === undefined ? `${baseUrl}/watch/${service}` : `${baseUrl}/watch/${service}/${part}`
}
