import { describe, expect, it } from 'vitest'
import { term } from '../../src/catalog/index/terms.ts'
import { DamagedCatalogError } from '../../src/catalog/storage/environment.ts'
import type { Show } from '../../src/model/show.ts'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { World } from '../support/world.ts'

/** More new shows than a commit can have without being large. */
const MANY = 520

const WORDS = ['Amber', 'Béla', 'Castle', 'Der', 'Эхо', 'Flight 7', 'ゴジラ', 'Harbour & Sea', 'II', "Ocean's"]

/** A movie whose titles share words with those of its neighbours. */
function numbered(id: number, edition = '') {
  const word = (n: number) => WORDS[n % WORDS.length] as string
  const title = `${word(id)} ${word(Math.floor(id / 10))} ${id % 97}${edition}`
  return aMovie({
    id: String(id),
    imdbId: `tt${String(id).padStart(7, '0')}`,
    tmdbId: `movie/${id}`,
    title,
    originalTitle: title,
    overview: `About ${word(id + 3)} and ${word(id + 7)}${edition}.`,
    cast: [`Actor ${id % 50}`, 'Zoë Quinn'],
    translations: { de: { title: `${word(id + 1)} auf Deutsch${edition}`, overview: '' } },
  })
}

function range(from: number, to: number, edition?: string) {
  return Array.from({ length: to - from }, (_, i) => numbered(from + i, edition))
}

/** A catalog after its first import, which is a large commit. */
async function filledWorld(): Promise<World> {
  const world = new World(temporaryFolder())
  await world.import(aSnapshot(...range(1, MANY)))
  return world
}

describe('Large commits', () => {
  it('index the texts of new shows together with those of shows that change, as small commits do', async () => {
    const world = await filledWorld()
    expect(checkCatalog(world.ledger.catalog)).toEqual([])
    // Some get other words, others are new, and the last ones are removed.
    await world.import(aSnapshot(...range(1, 200, ' anew'), ...range(200, 450), ...range(2_000, 2_000 + MANY)))
    expect(checkCatalog(world.ledger.catalog)).toEqual([])
    await world.import(aSnapshot(...range(1, 450), ...range(2_000, 2_010 + MANY)))
    expect(checkCatalog(world.ledger.catalog)).toEqual([])
    await world.close()
  })

  it('forget what was rolled back', async () => {
    const world = await filledWorld()
    const { catalog } = world.ledger
    const version = catalog.version()
    const shows = range(1, MANY).map(({ id }) => {
      const show = catalog.show(catalog.findDoc(id as string) as number) as Show
      const { records: _, ...copy } = {
        ...show,
        id: String(9_000 + Number(id)),
        imdbId: '',
        tmdbId: '',
        title: 'Undone',
      }
      return copy
    })
    const interrupted = world.ledger.commit(function* () {
      yield { at: world.now, shows, changes: [] }
      throw new Error('interrupted')
    })
    await expect(interrupted).rejects.toThrow('interrupted')
    expect(catalog.version()).toBe(version)
    expect(checkCatalog(catalog)).toEqual([])
    await world.import(aSnapshot(...range(1, MANY), ...range(5_000, 5_000 + MANY)))
    expect(checkCatalog(catalog)).toEqual([])
    expect(catalog.docsWithTerm(term.titleEqual('undone'), catalog.version()).size).toBe(0)
    await world.close()
  })

  it('are refused where a posting list is damaged', async () => {
    const world = await filledWorld()
    const { catalog } = world.ledger
    const version = catalog.version()
    catalog.environment.postings.putSync(term.titleWord('castle'), Buffer.from([0xff, 1, 0, 0, 0, 9]))
    const records = aSnapshot(...range(1, MANY), ...range(2_000, 2_000 + MANY))
    await expect(world.import(records)).rejects.toThrow(DamagedCatalogError)
    expect(catalog.version()).toBe(version)
    await world.close()
  })
})
