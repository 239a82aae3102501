import { describe, expect, it, onTestFinished } from 'vitest'
import { importFeed } from '../../src/ingest/import-feed.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import type { Show } from '../../src/model/show.ts'
import { NO_RANKS, type SourceRanks } from '../../src/model/source-ranks.ts'
import { aMovie, aSeries, NOW, referenceRecords } from '../support/builders.ts'
import { feedFromRecords } from '../support/feed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Json = Record<string, unknown>

/** A catalog into which sources import one show, and the show. */
function aCatalog(ranks: SourceRanks) {
  const ledger = new LocalLedger(temporaryFolder())
  onTestFinished(() => ledger.close())
  const importAs = async (source: string, ...records: Json[]) =>
    importFeed(
      feedFromRecords([{ kind: 'feed', source, mode: 'snapshot' }, ...referenceRecords(), ...records]),
      ledger,
      {
        clock: () => NOW,
        force: true,
        ranks,
      },
    )
  const show = () => ledger.catalog.show(ledger.catalog.findDoc('1') as number) as Show
  return { importAs, show, setRanks: (next: SourceRanks) => Object.assign(ranks, next) }
}

const movie = (fields: Json) => aMovie({ id: '1', imdbId: 'tt1', tmdbId: '', ...fields })

describe('a source that is ranked', () => {
  it('keeps its texts, whoever comes later', async () => {
    const { importAs, show } = aCatalog({ all: ['best', 'second'], fields: {} })
    await importAs('second', movie({ title: 'Second', overview: 'By the second.' }))
    await importAs('best', movie({ title: 'Best', overview: 'By the best.', cast: ['A B'] }))
    await importAs('second', movie({ title: 'Second', overview: 'By the second.', cast: [] }))
    await importAs('unranked', movie({ title: 'Unranked', overview: undefined, runtime: 1 }))
    expect(show()).toMatchObject({ title: 'Best', overview: 'By the best.', cast: ['A B'], runtime: 100 })
    expect(show().fieldSources).toMatchObject({ title: 'best', overview: 'best', cast: 'best', runtime: 'best' })
    // Offers belong to their sources, whatever their ranks.
    expect(show().offers.us?.map(({ source }) => source)).toEqual(['second', 'best', 'unranked'])
  })

  it('takes what others have said, and leaves what it says nothing about', async () => {
    const { importAs, show } = aCatalog({ all: ['best'], fields: {} })
    await importAs('other', movie({ title: 'Other', overview: 'By another.', directors: ['C D'] }))
    await importAs('best', movie({ title: 'Best', overview: '', directors: undefined }))
    expect(show()).toMatchObject({ title: 'Best', overview: 'By another.', directors: ['C D'] })
    expect(show().fieldSources).toMatchObject({ title: 'best', overview: 'other', directors: 'other' })
  })

  it('is ranked field by field if wanted', async () => {
    const { importAs, show } = aCatalog({ all: ['one', 'two'], fields: { overview: ['two'] } })
    await importAs('two', movie({ title: 'Two', overview: 'By two.' }))
    await importAs('one', movie({ title: 'One', overview: 'By one.' }))
    await importAs('two', movie({ title: 'Two', overview: 'By two.' }))
    expect(show()).toMatchObject({ title: 'One', overview: 'By two.' })
  })

  it('decides translations language by language, and the texts of seasons', async () => {
    const { importAs, show } = aCatalog({ all: ['best'], fields: {} })
    const series = (name: string, languages: string[]) =>
      aSeries({
        id: '1',
        translations: Object.fromEntries(languages.map((code) => [code, { title: `${name} ${code}`, overview: '' }])),
        seasons: [
          { title: `${name} 1`, streamingOptions: {}, episodes: [{ title: `${name} pilot`, streamingOptions: {} }] },
        ],
      })
    await importAs('other', series('Other', ['de', 'fr']))
    await importAs('best', series('Best', ['de', 'es']))
    await importAs('other', series('Other', ['de', 'fr', 'tr']))
    const titles = Object.values(show().translations).map(({ title }) => title)
    expect(titles.sort()).toEqual(['Best de', 'Best es', 'Other fr', 'Other tr'])
    expect(show().seasons).toMatchObject([{ title: 'Best 1', episodes: [{ title: 'Best pilot' }] }])
  })

  it('no longer keeps others from the texts of a show that it has dropped', async () => {
    const { importAs, show } = aCatalog({ all: ['best'], fields: {} })
    await importAs('best', movie({ title: 'Best' }), aMovie({ id: '2' }))
    await importAs('other', movie({ title: 'Other' }))
    await importAs('best', aMovie({ id: '2' }))
    expect(show().title).toBe('Best')
    await importAs('other', movie({ title: 'Other' }))
    expect(show().title).toBe('Other')
  })
})

it('without ranks the latest record wins, and the source of each field is kept', async () => {
  const { importAs, show } = aCatalog(NO_RANKS)
  await importAs('one', movie({ title: 'One', overview: 'By one.' }))
  await importAs('two', movie({ title: 'Two', overview: undefined }))
  expect(show()).toMatchObject({ title: 'Two', overview: 'By one.' })
  expect(show().fieldSources).toMatchObject({ title: 'two', overview: 'one' })
  await importAs('one', movie({ title: 'One', overview: undefined }))
  expect(show()).toMatchObject({ title: 'One', overview: '' })
  expect(show().fieldSources?.overview).toBeUndefined()
})

it('the same feed changes nothing the second time, and applies again once the ranks are others', async () => {
  const ranks: SourceRanks = { all: ['one'], fields: {} }
  const { importAs, show, setRanks } = aCatalog(ranks)
  await importAs('one', movie({ title: 'One' }))
  await importAs('two', movie({ title: 'Two' }))
  expect(await importAs('two', movie({ title: 'Two' }))).toMatchObject({ altered: 0 })
  setRanks({ all: ['two'], fields: {} })
  expect(await importAs('two', movie({ title: 'Two' }))).toMatchObject({ altered: 1 })
  expect(show().title).toBe('Two')
})
