/** A language with an optional region: ISO 639-2/3, and ISO 3166-1 alpha-3 or UN M49. Keys in this order. */
export interface Locale {
  readonly language: string
  readonly region?: string
}

/** A subtitle track. Keys in this order. */
export interface Subtitle {
  readonly closedCaptions: boolean
  readonly locale: Locale
}

export function isLocale(locale: Locale): boolean {
  return /^[a-z]{3}$/.test(locale.language) && (locale.region === undefined || /^([A-Z]{3}|\d{3})$/.test(locale.region))
}

/** Audio languages without repeats, by language, then region (none first). */
export function normalizeAudios(audios: readonly Locale[]): Locale[] {
  return withoutRepeats([...audios].sort(compareLocales), (a, b) => compareLocales(a, b) === 0)
}

/** Subtitles without repeats, by language, then region (none first), then closed captions. */
export function normalizeSubtitles(subtitles: readonly Subtitle[]): Subtitle[] {
  return withoutRepeats([...subtitles].sort(compareSubtitles), (a, b) => compareSubtitles(a, b) === 0)
}

function compareLocales(a: Locale, b: Locale): number {
  return compareText(a.language, b.language) || compareText(a.region ?? '', b.region ?? '')
}

function compareSubtitles(a: Subtitle, b: Subtitle): number {
  return compareLocales(a.locale, b.locale) || Number(a.closedCaptions) - Number(b.closedCaptions)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function withoutRepeats<T>(sorted: readonly T[], same: (a: T, b: T) => boolean): T[] {
  return sorted.filter((item, i) => i === 0 || !same(item, sorted[i - 1] as T))
}
