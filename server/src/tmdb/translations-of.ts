import type { JsonObject } from '../ingest/parse/fields.ts'
import type { Translation } from '../model/show.ts'
import { objectIn, objectsIn, textIn } from './answer-fields.ts'
import { hasImagesIn, imageSetOf } from './image-addresses.ts'
import type { SyncScope } from './sync-scope.ts'

/**
 * What a title is called and about in the chosen languages. TMDB has a language once for each country that speaks it,
 * and leaves empty what is like the original: so each text is taken from the first that has it, chosen countries first.
 */
export function translationsOf(
  details: JsonObject,
  title: string,
  { languages, countries }: SyncScope,
): Record<string, Translation> {
  const all = objectsIn(objectIn(details, 'translations'), 'translations')
  const translations: Record<string, Translation> = {}
  for (const language of languages) {
    if (language === 'en') continue
    const ofLanguage = all
      .filter((one) => one.iso_639_1 === language)
      .sort((a, b) => Number(isChosen(b, countries)) - Number(isChosen(a, countries)))
      .map((one) => objectIn(one, 'data'))
    const first = (...names: string[]) =>
      ofLanguage.flatMap((data) => names.flatMap((name) => textIn(data, name) ?? []))[0]
    const original = details.original_language === language ? textIn(details, originalName(details)) : undefined
    const named = first('title', 'name') ?? original
    const overview = first('overview')
    const images = hasImagesIn(details, language) ? imageSetOf(details, language) : undefined
    if (named === undefined && overview === undefined && images === undefined) continue
    translations[language] = {
      title: named ?? title,
      overview: overview ?? '',
      ...(images !== undefined && { imageSet: images }),
    }
  }
  return translations
}

/** The field in which a title stands in its own language. */
export function originalName(details: JsonObject): 'original_title' | 'original_name' {
  return 'original_title' in details ? 'original_title' : 'original_name'
}

function isChosen(translation: JsonObject, countries: readonly string[]): boolean {
  return countries.includes(String(translation.iso_3166_1).toLowerCase())
}
