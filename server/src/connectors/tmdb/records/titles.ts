import type { JsonObject } from '../../../ingest/parse/fields.ts'
import type { Translation } from '../../../model/show.ts'
import { listAliases } from '../../records/aliases.ts'
import { objectField, objectListField, textField, toText } from '../../records/json-fields.ts'
import { buildImageSet, hasImages } from './images.ts'

/** The countries and languages that records cover. */
export interface RecordScope {
  /** Country codes in lower case. */
  readonly countries: readonly string[]
  readonly languages: readonly string[]
}

/**
 * The titles, overviews and images in the languages of the scope, except English. TMDB has a translation for each
 * country of a language, with empty texts where they equal the original. So each text is the first that is not empty,
 * with the countries of the scope first.
 */
export function buildTranslations(
  details: JsonObject,
  title: string,
  { languages, countries }: RecordScope,
): Record<string, Translation> {
  const all = objectListField(objectField(details, 'translations'), 'translations')
  const inScope = (translation: JsonObject) => countries.includes(readCountry(translation))
  const translations: Record<string, Translation> = {}
  for (const language of languages) {
    if (language === 'en') continue
    const candidates = all
      .filter((translation) => translation.iso_639_1 === language)
      .sort((a, b) => Number(inScope(b)) - Number(inScope(a)))
      .map((translation) => objectField(translation, 'data'))
    const firstText = (...names: string[]) =>
      candidates.flatMap((data) => names.flatMap((name) => textField(data, name) ?? []))[0]
    const isOriginal = details.original_language === language
    const translatedTitle =
      firstText('title', 'name') ?? (isOriginal ? textField(details, originalTitleField(details)) : undefined)
    const overview = firstText('overview')
    const imageSet = hasImages(details, language) ? buildImageSet(details, language) : undefined
    if (translatedTitle === undefined && overview === undefined && imageSet === undefined) continue
    translations[language] = {
      title: translatedTitle ?? title,
      overview: overview ?? '',
      ...(imageSet !== undefined && { imageSet }),
    }
  }
  return translations
}

/** The field with the title in the original language. */
export function originalTitleField(details: JsonObject): 'original_title' | 'original_name' {
  return 'original_title' in details ? 'original_title' : 'original_name'
}

/**
 * Titles by which a show is found, too: what TMDB calls it in other countries of a language, its alternative titles, and
 * its titles in languages that are not in the scope. Those of the scope come first.
 */
export function aliasesField(details: JsonObject, title: string, scope: RecordScope): object {
  const translations = objectListField(objectField(details, 'translations'), 'translations')
  const inLanguages = translations.filter(({ iso_639_1 }) => scope.languages.includes(toText(iso_639_1)))
  const alternatives = objectField(details, 'alternative_titles')
  // The list of a movie is `titles`, that of a series `results`.
  const alternative = [...objectListField(alternatives, 'titles'), ...objectListField(alternatives, 'results')]
  const inCountries = alternative.filter((one) => scope.countries.includes(readCountry(one)))
  const candidates = [
    ...inLanguages.map(readTranslatedTitle),
    ...[...inCountries, ...alternative].map((one) => textField(one, 'title')),
    ...translations.map(readTranslatedTitle),
  ]
  const printed = Object.values(buildTranslations(details, title, scope)).map((translation) => translation.title)
  return listAliases(candidates, [title, textField(details, originalTitleField(details)), ...printed])
}

function readTranslatedTitle(translation: JsonObject): string | undefined {
  const data = objectField(translation, 'data')
  return textField(data, 'title') ?? textField(data, 'name')
}

function readCountry(item: JsonObject): string {
  return toText(item.iso_3166_1).toLowerCase()
}
