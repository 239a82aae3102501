import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { Show } from '../../model/show.ts'
import { Catalog } from '../catalog.ts'
import { openEnvironment } from '../storage/environment.ts'
import { PostingDeltas } from './posting-deltas.ts'
import { term } from './terms.ts'

/** The fields of a show that terms need. */
function titled(title: string): Show {
  return {
    id: '1',
    showType: 'movie',
    title,
    originalTitle: title,
    overview: '',
    rating: 0,
    genres: [],
    cast: [],
    ratings: {},
    translations: {},
    offers: {},
  } as unknown as Show
}

describe('PostingDeltas', () => {
  it('merges the terms of many new documents with terms that changed documents gain and lose', async () => {
    const environment = openEnvironment(temporaryFolder())
    const catalog = new Catalog(environment)
    const deltas = new PostingDeltas()
    const count = 150_000
    deltas.replaceDocument(0, titled('Before'), titled('After'))
    for (let doc = 1; doc <= count; doc++) deltas.replaceDocument(doc, undefined, titled('After'))
    environment.root.transactionSync(() => deltas.flush(environment, 1))
    for (const name of [term.titleEqual('after'), term.keywordPrefix('*', 'a')]) {
      expect(catalog.docsWithTerm(name, 1).size).toBe(count + 1)
    }
    expect(catalog.docsWithTerm(term.titleEqual('before'), 1).size).toBe(0)
    expect(catalog.docsWithTerm(term.showType('movie'), 1).has(0)).toBe(false)
    await environment.root.close()
  })
})
