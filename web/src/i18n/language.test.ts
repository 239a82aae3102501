import { expect, it } from 'vitest'
import { explorerMessages, layoutMessages, operatorMessages, referenceMessages } from '../messages/tables.ts'
import { LANGUAGES, type Language, plural } from './language.ts'

const languages = Object.keys(LANGUAGES) as Language[]

it('has twelve languages, those of the texts of the catalog', () => {
  expect(languages.toSorted()).toEqual(['de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'sv', 'tr'])
})

it('picks the plural form by the rules of the language', () => {
  const polish = plural('pl')
  const forms = { one: '# tytuł', few: '# tytuły', many: '# tytułów', other: '# tytułu' }
  expect([1, 2, 5, 12, 22, 25].map((count) => polish(count, forms))).toEqual([
    ...['1 tytuł', '2 tytuły', '5 tytułów', '12 tytułów', '22 tytuły', '25 tytułów'],
  ])
  expect(plural('ja')(1, { other: '#作品' })).toBe('1作品')
  expect(plural('fr')(0, { one: '# titre', other: '# titres' })).toBe('0 titre')
})

/** The texts of a table by their paths; functions are called with samples. */
function textsOf(table: object, path = ''): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(table)) {
    const key = `${path}.${name}`
    if (typeof value === 'object') for (const [inner, text] of textsOf(value, key)) found.set(inner, text)
    else found.set(key, typeof value === 'function' ? value(5, 7, 9) : value)
  }
  return found
}

it.each([
  ['layout', layoutMessages],
  ['explorer', explorerMessages],
] as const)('has every text of %s in every language, translated, with all that is inserted', async (_area, tables) => {
  await tables.load('en')
  const english = textsOf(tables.get('en'))
  for (const language of languages) {
    await tables.load(language)
    const texts = textsOf(tables.get(language))
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort())
    for (const [key, text] of texts) {
      expect(text.trim(), `${language}${key}`).not.toBe('')
      const numbers = (english.get(key) ?? '').match(/[579]/g) ?? []
      for (const number of new Set(numbers)) expect(text, `${language}${key}`).toContain(number)
      expect(text, `${language}${key}`).not.toMatch(/[{}]|undefined|#/)
    }
    // Names, codes and short words are the same in some languages; sentences are not.
    const same = [...texts].filter(
      ([key, text]) => text === english.get(key) && text.split(' ').length > 3 && key !== '.show.minutes',
    )
    if (language !== 'en') expect(same.map(([key]) => `${language}${key}`)).toEqual([])
  }
})

it('has English in place of a language that pages for developers lack, and says so', async () => {
  for (const tables of [referenceMessages, operatorMessages]) {
    await tables.load('ja')
    await tables.load('en')
    expect(tables.get('ja')).toBe(tables.get('en'))
    expect([tables.shownLanguage('ja'), tables.shownLanguage('tr')]).toEqual(['en', 'tr'])
  }
})
