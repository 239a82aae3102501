import { shortLanguageCode } from '../language-codes.ts'

/** The language of titles that are said to be of a region only, the region that counts most for each language first. */
const LANGUAGES_OF_REGIONS: Readonly<Record<string, readonly string[]>> = {
  bg: ['BG'],
  cs: ['CZ'],
  da: ['DK'],
  de: ['DE', 'AT'],
  el: ['GR'],
  es: ['ES', 'MX', 'AR', 'CO', 'CL'],
  fi: ['FI'],
  fr: ['FR'],
  he: ['IL'],
  hr: ['HR'],
  hu: ['HU'],
  id: ['ID'],
  it: ['IT'],
  ja: ['JP'],
  ko: ['KR'],
  nl: ['NL'],
  no: ['NO'],
  pl: ['PL'],
  pt: ['PT', 'BR'],
  ro: ['RO'],
  ru: ['RU'],
  sk: ['SK'],
  sv: ['SE'],
  th: ['TH'],
  tr: ['TR'],
  uk: ['UA'],
  vi: ['VN'],
  zh: ['CN', 'TW', 'HK'],
}

const languageOfRegion = new Map(
  Object.entries(LANGUAGES_OF_REGIONS).flatMap(([language, regions]) => regions.map((region) => [region, language])),
)

/** What stands between the types of a title. */
const SEPARATOR = '\u0002'

/** A title that a show goes by somewhere. */
export interface AkaTitle {
  readonly title: string
  readonly language: string
  /** How well it stands for its language; less is better. */
  readonly rank: number
}

/** What a row says of a title in another language, unless it is a working title, a transliteration or the like. */
export function akaTitleOf(cells: readonly (string | undefined)[]): AkaTitle | undefined {
  const [, title, region, stated, types = '', attributes, isOriginal] = cells
  if (title === undefined || attributes !== undefined || isOriginal === '1') return undefined
  const language = stated === undefined ? languageOfRegion.get(region ?? '') : shortLanguageCode(stated)
  if (language === undefined || language === 'en') return undefined
  const kinds = types.split(SEPARATOR)
  const display = kinds.includes('imdbDisplay')
  if (!display && kinds.some((kind) => kind !== '')) return undefined
  const place = LANGUAGES_OF_REGIONS[language]?.indexOf(region ?? '') ?? 0
  return { title, language, rank: (display ? 0 : 10) + (place < 0 ? 9 : place) }
}

/** The best title of each language, as a feed states translations. */
export function translationsOfAkas(akas: readonly AkaTitle[]): Record<string, { title: string }> | undefined {
  const best = new Map<string, AkaTitle>()
  for (const aka of akas) {
    const known = best.get(aka.language)
    if (known === undefined || aka.rank < known.rank) best.set(aka.language, aka)
  }
  if (best.size === 0) return undefined
  return Object.fromEntries([...best].map(([language, { title }]) => [language, { title }]))
}
