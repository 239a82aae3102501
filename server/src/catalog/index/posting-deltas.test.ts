import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { Show } from '../../model/show.ts'
import { Catalog } from '../catalog.ts'
import { openEnvironment } from '../storage/environment.ts'
import { PostingDeltas } from './posting-deltas.ts'
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
    const differences = new PostingDeltas()
    const many = 150_000
    differences.replaceDocument(0, titled('Before'), titled('After'))
    for (let doc = 1; doc <= many; doc++) differences.replaceDocument(doc, undefined, titled('After'))
    expect(differences.docsWithTitle('after')).toHaveLength(many + 1)
    environment.root.transactionSync(() => differences.flush(catalog, 1))
    for (const name of [term.titleEqual('after'), term.keywordPrefix('*', 'a')]) {
      expect(catalog.docsWithTerm(name, 1).size).toBe(many + 1)
    }
    expect(catalog.docsWithTerm(term.titleEqual('before'), 1).size).toBe(0)
    expect(catalog.docsWithTerm(term.showType('movie'), 1).has(0)).toBe(false)
    await environment.root.close()
  })
})
