import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../src/catalog/storage/byte-stream.ts'
import { aMovie, aSeries, aSnapshot } from '../support/builders.ts'
import { killImports } from '../support/chaos/kill-imports.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { seedOffset } from '../support/property-runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

describe('an import that is killed', () => {
  // The short form of `npm run chaos -- kill-imports`, which takes a random, printed seed.
  it('leaves a consistent catalog, and gives the result of one clean import when it is repeated', async () => {
    const seed = 7 + seedOffset
    // Each of the three scenarios after a time, and after a write.
    const outcomes = await killImports({ folder: temporaryFolder(), tries: 6, shows: 20, manyShows: 2_010, seed })
    const differences = outcomes.flatMap(({ fault, problems }) => problems.map((problem) => `${fault}: ${problem}`))
    expect(differences, `seed ${seed}`).toEqual([])
    // A kill after the end of the import tests nothing.
    expect(outcomes.filter(({ missed }) => !missed).length).toBeGreaterThanOrEqual(4)
  })
})

describe('the consistency check of a catalog', () => {
  it('finds every kind of damage', async () => {
    const service = await TestService.open(temporaryFolder())
    await service.import(aSnapshot(aMovie({ id: '1' }), aSeries({ id: '2' })))
    const { catalog } = service.ledger
    const { root, postings, columns, ids, offers, meta, spellings, dictionaryTexts, changeBlocks } = catalog.environment
    expect(checkCatalog(catalog)).toEqual([])

    const damages: Record<string, () => void> = {
      'a term is gone': () => postings.removeSync('t/movie'),
      'a column is gone': () => columns.removeSync('rating'),
      'an id leads elsewhere': () => ids.putSync('tt0000002', 0),
      'offers are gone': () => offers.removeSync(0),
      'the counts are wrong': () => meta.putSync('counts', { shows: 9, offers: 9, offersBySource: {} }),
      'a spelling is wrong': () => spellings.putSync('mvie', 'movie movies'),
      'the dictionary has a gap': () => dictionaryTexts.putSync(9_999, 'beyond the gap'),
      'a change is of nothing': () => {
        // Of one block the first change, of which the time and the show come first, gets another document.
        const block = inflateRawSync(changeBlocks.get(1) as Buffer)
        const at = new ByteReader(block)
        for (const _ of ['count', 'time', 'show']) at.varint()
        block[at.position] = 18
        changeBlocks.putSync(1, deflateRawSync(block))
      },
    }
    for (const [name, damage] of Object.entries(damages)) {
      let problems: string[] = []
      const undone = new Error('undone')
      const attempt = () =>
        root.transactionSync(() => {
          damage()
          catalog.invalidate()
          problems = checkCatalog(catalog)
          throw undone
        })
      expect(attempt, name).toThrow(undone)
      catalog.invalidate()
      expect(problems.length, name).toBeGreaterThan(0)
    }
    expect(checkCatalog(catalog)).toEqual([])
    await service.close()
  })
})
