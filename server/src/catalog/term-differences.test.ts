import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import type { Show } from '../model/show.ts'
import { Catalog } from './catalog.ts'
import { openEnvironment } from './environment.ts'
import { TermDifferences } from './term-differences.ts'
import { term } from './terms.ts'

/** As much of a show as terms need. */
function titled(title: string): Show {
  return {
    id: '1',
    showType: 'movie',
    title,
    originalTitle: title,
    overview: '',
    rating: 0,
    genres: [],
    ratings: {},
    translations: {},
    offers: {},
  } as unknown as Show
}

describe('TermDifferences', () => {
  it('joins what new documents bring with what altered ones gain and lose, however many they are', async () => {
    const environment = openEnvironment(temporaryFolder())
    const catalog = new Catalog(environment)
    const differences = new TermDifferences()
    const many = 150_000
    differences.replace(0, titled('Before'), titled('After'))
    for (let doc = 1; doc <= many; doc++) differences.replace(doc, undefined, titled('After'))
    expect(differences.titled('after')).toHaveLength(many + 1)
    environment.root.transactionSync(() => differences.write(catalog, 1))
    for (const name of [term.titleEqual('after'), term.keywordPrefix('*', 'a')]) {
      expect(catalog.docs(name, 1).size).toBe(many + 1)
    }
    expect(catalog.docs(term.titleEqual('before'), 1).size).toBe(0)
    expect(catalog.docs(term.showType('movie'), 1).has(0)).toBe(false)
    await environment.root.close()
  })
})
