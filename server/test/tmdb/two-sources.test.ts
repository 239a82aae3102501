import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSource } from '../../src/connectors/registry.ts'
import { importFeed } from '../../src/ingest/import-feed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aTestService, type TestService } from '../support/test-service.ts'
import { aStandIn, createSync } from '../support/tmdb/sync-with.ts'

interface Option {
  readonly service: { readonly id: string }
  readonly link: string
}

/** Writes a Media Actions feed of one movie with a TMDB id. */
function mediaActions(tmdbId: number, name: string, year: number): string {
  const path = join(temporaryFolder(), 'acme.json')
  const movie = {
    '@type': 'Movie',
    '@id': 'https://acme.example/movies/1',
    url: 'https://acme.example/movies/1',
    name,
    identifier: [{ '@type': 'PropertyValue', propertyID: 'TMDB_ID', value: String(tmdbId) }],
    releasedEvent: { '@type': 'PublicationEvent', startDate: `${year}-05-04` },
    potentialAction: {
      '@type': 'WatchAction',
      target: {
        '@type': 'EntryPoint',
        urlTemplate: 'https://acme.example/watch/1',
        actionPlatform: ['http://schema.org/DesktopWebPlatform'],
      },
      actionAccessibilityRequirement: {
        '@type': 'ActionAccessSpecification',
        category: 'subscription',
        eligibleRegion: { '@type': 'Country', name: 'US' },
      },
    },
  }
  writeFileSync(
    path,
    JSON.stringify({ '@context': 'http://schema.org', '@type': 'DataFeed', dataFeedElement: [movie] }),
  )
  return path
}

async function importMediaActions(service: TestService, path: string) {
  const feed = await openSource({ path, format: 'media-actions', options: { service: 'acme' } }, service.ledger)
  const options = { clock: () => service.now, source: 'acme', mode: 'snapshot' as const }
  return importFeed(feed.lines, service.ledger, options)
}

/** Imports an empty snapshot of a source, which removes its offers. */
const dropSource = (service: TestService, source: string) =>
  service.import([{ kind: 'feed', source, mode: 'snapshot' }], { force: true })

test('TMDB and a Media Actions feed of one movie make one show with the offers of both, and each can be dropped', async () => {
  const service = await aTestService()
  const standIn = await aStandIn({ movies: 30, series: 0, now: () => service.now })
  const sync = createSync(service, standIn)
  await sync({ kinds: ['movie'] })
  const id = standIn.popular('movie').find((one) => Object.keys(standIn.title('movie', one).offers('US', 0)).length > 0)
  const facts = standIn.title('movie', id as number)
  const optionsOf = async (): Promise<Option[]> =>
    (await service.get(`/shows/movie/${id}?country=us`)).body.streamingOptions.us ?? []
  const fromTmdb = await optionsOf()
  expect(fromTmdb.length).toBeGreaterThan(0)

  const path = mediaActions(facts.id, facts.title, facts.year)
  const report = await importMediaActions(service, path)
  expect(report).toMatchObject({ shows: 1, created: 0, altered: 1 })
  expect(service.ledger.catalog.counts().shows).toBe(30)
  const links = (options: readonly Option[]) => options.map(({ service, link }) => `${service.id} ${link}`)
  expect(links(await optionsOf())).toEqual([...links(fromTmdb), 'acme https://acme.example/watch/1'])

  // A later sync of the title keeps the offers of the other source, and the reverse.
  service.now += 8 * 86_400
  await sync({ kinds: ['movie'] })
  await importMediaActions(service, path)
  expect(links(await optionsOf())).toEqual([...links(fromTmdb), 'acme https://acme.example/watch/1'])

  await dropSource(service, 'acme')
  expect(links(await optionsOf())).toEqual(links(fromTmdb))
  await importMediaActions(service, path)
  await dropSource(service, 'tmdb')
  expect(links(await optionsOf())).toEqual(['acme https://acme.example/watch/1'])
})
