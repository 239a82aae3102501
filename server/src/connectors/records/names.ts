import { fold, tokenize } from '../../catalog/index/analyzer.ts'
import { OUTPUT_LANGUAGES } from '../../model/language.ts'
import languageCodes from '../../model/language-codes.json' with { type: 'json' }
import regionCodes from './region-codes.json' with { type: 'json' }

/** Names that Unicode's locale data has in another form. */
const OTHER_COUNTRY_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    america: 'US',
    'united states of america': 'US',
    usa: 'US',
    'great britain': 'GB',
    england: 'GB',
    uk: 'GB',
    korea: 'KR',
    'republic of korea': 'KR',
    'hong kong': 'HK',
    macau: 'MO',
    'czech republic': 'CZ',
    turkey: 'TR',
    'ivory coast': 'CI',
    palestine: 'PS',
    'russian federation': 'RU',
    holland: 'NL',
    'the netherlands': 'NL',
  }),
)

const byKind = new Map<'region' | 'language', ReadonlyMap<string, string>>()

/** Codes by folded name, in all languages of the API. Built on first use, since it takes some milliseconds. */
function codesByName(kind: 'region' | 'language', codes: readonly string[]): ReadonlyMap<string, string> {
  let map = byKind.get(kind)
  if (map === undefined) {
    const names = OUTPUT_LANGUAGES.flatMap((language) => {
      const display = new Intl.DisplayNames(language, { type: kind, fallback: 'none' })
      return codes.flatMap((code): [string, string][] => {
        const name = display.of(code)
        return name === undefined ? [] : [[toKey(name), code]]
      })
    })
    // The first language wins: a few names mean another language in another one.
    map = new Map(names.reverse())
    byKind.set(kind, map)
  }
  return map
}

function toKey(name: string): string {
  return tokenize(name).join(' ') || fold(name)
}

/** The code in lower case of a country by its name in any language of the API, such as "Alemania". */
export function findCountryByName(name: string): string | undefined {
  const key = toKey(name)
  const code = OTHER_COUNTRY_NAMES.get(key) ?? codesByName('region', Object.keys(regionCodes)).get(key)
  return code?.toLowerCase()
}

/** The ISO 639-1 code of a language by its name in any language of the API, such as "Englisch". */
export function findLanguageByName(name: string): string | undefined {
  return codesByName('language', Object.keys(languageCodes.alpha3ByAlpha2)).get(toKey(name))
}

/** As many alternative titles as a record may have. */
const MAX_ALIASES = 100

/** Longer texts are no titles. */
const MAX_ALIAS_LENGTH = 300

/** Alternative titles without duplicates, empty ones and those that the show has anyway. */
export function listAliases(
  titles: Iterable<string | undefined>,
  known: Iterable<string | undefined>,
): { readonly aliases?: readonly string[] } {
  const printed = new Set([...known].map((title) => title?.trim()))
  const aliases = new Set<string>()
  for (const title of titles) {
    const alias = title?.trim() ?? ''
    if (alias !== '' && alias.length <= MAX_ALIAS_LENGTH && !printed.has(alias)) aliases.add(alias)
  }
  return aliases.size === 0 ? {} : { aliases: [...aliases].slice(0, MAX_ALIASES) }
}
