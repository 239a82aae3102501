import { shortLanguageCode } from './language-codes.ts'

/** A text in a language, given by a tag such as `es-419`, or in one that is not said. */
export interface LocalText {
  readonly language: string | undefined
  readonly text: string
}

/** The two-letter code of the language of a tag. */
export function languageOfTag(tag: string | undefined): string | undefined {
  return shortLanguageCode(tag?.split(/[-_]/)[0] ?? '')
}

/** The text in English, else in no particular language, else the first. */
export function preferredText(texts: readonly LocalText[]): string | undefined {
  const found =
    texts.find(({ language }) => languageOfTag(language) === 'en') ??
    texts.find(({ language }) => language === undefined) ??
    texts[0]
  return found?.text
}

/** The text of each language; of several variants of a language the first one counts. */
export function textsByLanguage(texts: readonly LocalText[]): ReadonlyMap<string, string> {
  const byLanguage = new Map<string, string>()
  for (const { language, text } of texts) {
    const code = languageOfTag(language)
    if (code !== undefined && !byLanguage.has(code)) byLanguage.set(code, text)
  }
  return byLanguage
}

/** What a show is called and about in languages other than English, if in any. */
export function translationsOf(titles: readonly LocalText[], overviews: readonly LocalText[]): object | undefined {
  const overviewIn = textsByLanguage(overviews)
  const translations = [...textsByLanguage(titles)]
    .filter(([language]) => language !== 'en')
    .map(([language, title]) => [language, { title, overview: overviewIn.get(language) }])
  return translations.length === 0 ? undefined : Object.fromEntries(translations)
}
