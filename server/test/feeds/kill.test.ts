import { describe, expect, it } from 'vitest'
import { aMovie, aSeries, aSnapshot } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { killImports } from '../support/kill-imports.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

describe('an import that is killed', () => {
  it('leaves a whole catalog, and ends as one clean import does when it is repeated', async () => {
    const seed = Date.now() % 1_000_000
    const outcomes = await killImports({ folder: temporaryFolder(), kills: 8, shows: 20, manyShows: 2_010, seed })
    const differences = outcomes.flatMap(({ scenario, when, differences }) =>
      differences.map((difference) => `${scenario}, killed ${when}: ${difference}`),
    )
    expect(differences, `seed ${seed}`).toEqual([])
    // Kills that come when the import is over would show nothing.
    expect(outcomes.filter(({ tooLate }) => !tooLate).length).toBeGreaterThanOrEqual(6)
  }, 120_000)
})

describe('the check of a whole catalog', () => {
  it('finds whatever is damaged', async () => {
    const service = new TestService(temporaryFolder())
    await service.import(aSnapshot(aMovie({ id: '1' }), aSeries({ id: '2' })))
    const { catalog } = service.ledger
    const { root, postings, directories, ids, offers, meta, spellings, dictionaryTexts, changes } = catalog.environment
    expect(checkCatalog(catalog)).toEqual([])

    const damages: Record<string, () => void> = {
      'a term is gone': () => postings.removeSync('t/movie'),
      'a column is gone': () => directories.removeSync('rating'),
      'an id leads elsewhere': () => ids.putSync('tt0000002', 0),
      'offers are gone': () => offers.removeSync([...offers.getKeys({})][0] as Buffer),
      'the counts are wrong': () => meta.putSync('counts', { shows: 9, offers: 9, offersBySource: {} }),
      'a spelling is wrong': () => spellings.putSync('mvie', 'movie movies'),
      'the dictionary has a gap': () => dictionaryTexts.removeSync(0),
      'a change is of nothing': () => {
        for (const { key, value } of changes.getRange({ limit: 1 })) {
          changes.putSync(Buffer.from(key), Buffer.concat([Buffer.from([9, 0, 0, 0]), value.subarray(4)]))
        }
      },
    }
    for (const [name, damage] of Object.entries(damages)) {
      let problems: string[] = []
      const undone = new Error('undone')
      const attempt = () =>
        root.transactionSync(() => {
          damage()
          problems = checkCatalog(catalog)
          throw undone
        })
      expect(attempt, name).toThrow(undone)
      expect(problems.length, name).toBeGreaterThan(0)
    }
    expect(checkCatalog(catalog)).toEqual([])
    await service.close()
  })
})
