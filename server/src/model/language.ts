import codes from './language-codes.json' with { type: 'json' }

/** Languages in which answers can be asked for, the default first. */
export const OUTPUT_LANGUAGES = ['en', 'es', 'fr', 'tr', 'de', 'it', 'pt', 'nl', 'pl', 'sv', 'ja', 'ko'] as const
export type OutputLanguage = (typeof OUTPUT_LANGUAGES)[number]

export const DEFAULT_LANGUAGE: OutputLanguage = 'en'

const outputLanguages: ReadonlySet<string> = new Set(OUTPUT_LANGUAGES)

export function isOutputLanguage(code: string): code is OutputLanguage {
  return outputLanguages.has(code)
}

const ISO_639_1 = new Set(
  (
    'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es ' +
    'et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj ' +
    'kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ' +
    'ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ' +
    'ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu cn xx'
  ).split(' '),
)

/** Whether the code is a two-letter language code, the two that film databases add (`cn`, `xx`) included. */
export function isLanguageCode(code: string): boolean {
  return ISO_639_1.has(code)
}

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
  return dedupeSorted([...audios].sort(compareLocales), (a, b) => compareLocales(a, b) === 0)
}

/** Subtitles without repeats, by language, then region (none first), then closed captions. */
export function normalizeSubtitles(subtitles: readonly Subtitle[]): Subtitle[] {
  return dedupeSorted([...subtitles].sort(compareSubtitles), (a, b) => compareSubtitles(a, b) === 0)
}

/** Whether two normalized lists of audios, or of subtitles, are equal. */
export function isSameTracks(a: readonly (Locale | Subtitle)[], b: readonly (Locale | Subtitle)[]): boolean {
  // Parsed lists are interned, so most equal ones are identical.
  return a === b || (a.length === b.length && JSON.stringify(a) === JSON.stringify(b))
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

function dedupeSorted<T>(sorted: readonly T[], same: (a: T, b: T) => boolean): T[] {
  return sorted.filter((item, i) => i === 0 || !same(item, sorted[i - 1] as T))
}

/** ISO 639-1 to ISO 639-3 and back. The aliases are withdrawn codes, and `cn`, which film databases use for Cantonese. */
const alpha3ByAlpha2 = new Map<string, string>()
const alpha2ByAlpha3 = new Map<string, string>()
for (const table of [codes.alpha3ByAlpha2, codes.alpha2Aliases]) {
  for (const [alpha2, alpha3] of Object.entries(table)) {
    alpha3ByAlpha2.set(alpha2, alpha3)
    if (!alpha2ByAlpha3.has(alpha3)) alpha2ByAlpha3.set(alpha3, alpha2)
  }
}

/** ISO 639-2/B codes that differ from those of ISO 639-3. */
const bibliographic: ReadonlyMap<string, string> = new Map(Object.entries(codes.bibliographic))

/** The ISO 639-3 code of a language code of two or three letters, in any case. */
export function toAlpha3Language(code: string): string | undefined {
  const lower = code.toLowerCase()
  if (lower.length === 2) return alpha3ByAlpha2.get(lower)
  return /^[a-z]{3}$/.test(lower) ? (bibliographic.get(lower) ?? lower) : undefined
}

/** The ISO 639-1 code of a language code of two or three letters; undefined for a language without one. */
export function toAlpha2Language(code: string): string | undefined {
  const alpha3 = toAlpha3Language(code)
  return alpha3 === undefined ? undefined : alpha2ByAlpha3.get(alpha3)
}

/** All ISO 639-1 codes, and the aliases. */
export function listAlpha2Languages(): string[] {
  return [...alpha3ByAlpha2.keys()]
}
