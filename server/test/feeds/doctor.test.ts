import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ScheduleStatus } from '../../src/connectors/schedule/schedule-status.ts'
import { examineCatalog } from '../../src/doctor/examine-catalog.ts'
import { CHECKS, type CheckName } from '../../src/doctor/finding.ts'
import { IdentityEditor } from '../../src/ingest/decisions/identity-editor.ts'
import { aMovie, anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

describe('a check of the catalog', () => {
  let service: TestService
  beforeEach(async () => {
    service = await TestService.open(temporaryFolder())
  })
  afterEach(() => service.close())

  const examine = async (schedule: ScheduleStatus = { sources: [] }) =>
    examineCatalog(service.ledger.catalog, { schedule, now: service.now })
  const find = async (check: CheckName, schedule?: ScheduleStatus) =>
    (await examine(schedule)).findings.find((finding) => finding.check === check)
  const on = (option: object = {}) => ({ us: [anOption(option as Record<string, unknown>)] })
  const from = (source: string, ...shows: Record<string, unknown>[]) => service.import(aSnapshot(...shows), { source })

  it('finds nothing in a sound catalog, and has every check in order', async () => {
    await service.import(aSnapshot(aMovie(), aSeries()))
    const { shows, findings, version } = await examine()
    expect([shows, version]).toEqual([2, 1])
    expect(findings).toEqual(CHECKS.map((check) => ({ check, count: 0, examples: [] })))
  })

  it('counts shows without offers, and keeps five of them; announced offers are offers', async () => {
    const alone = Array.from({ length: 7 }, (_, i) => aMovie({ id: String(i + 1), streamingOptions: {} }))
    const announced = aMovie({ id: '20', streamingOptions: on({ startsOn: NOW + DAY }) })
    await service.import(aSnapshot(...alone, announced, aSeries({ id: '30' })))
    const finding = await find('shows_without_offers')
    expect(finding?.count).toBe(7)
    expect(finding?.examples).toHaveLength(5)
    expect(finding?.examples[0]).toEqual({
      subject: 'Movie 1 (2001)',
      details: ['show 1'],
      command: 'marquee sync tmdb --countries gb,tr,us',
    })
  })

  it('counts live offers without links, of the source that left them out', async () => {
    await from('acme', aMovie({ id: '1', streamingOptions: on({ startsOn: NOW + DAY, link: undefined }) }), aMovie())
    expect((await find('offers_without_links'))?.count).toBe(0)
    await service.advance(2 * DAY)
    expect(await find('offers_without_links')).toMatchObject({
      count: 1,
      examples: [
        {
          subject: 'Movie 1 (2001)',
          details: ['show 1', 'us netflix subscription', 'acme'],
          command: 'marquee import FEED --source acme',
        },
      ],
    })
  })

  it.each([
    ['prices', { type: 'rent', price: { amount: '2.99', currency: 'USD' } }, '2.99 USD', '3.99 USD'],
    ['ends', { expiresOn: NOW + 40 * DAY }, 'until 2026-04-24', 'until 2026-05-14'],
    ['starts', {}, 'live', 'upcoming'],
  ])(
    'counts offers about whose %s two sources disagree, and names the older source',
    async (_, own, says, otherSays) => {
      const other = {
        prices: { type: 'rent', price: { amount: '3.99', currency: 'USD' } },
        ends: { expiresOn: NOW + 60 * DAY },
        starts: { startsOn: NOW + 5 * DAY },
      }[_ as 'prices' | 'ends' | 'starts']
      const movie = (option: object) => aMovie({ id: '1', streamingOptions: on(option) })
      await from('early', movie(own))
      service.now += DAY
      await from('late', movie(other))
      expect(await find('sources_disagree')).toEqual({
        check: 'sources_disagree',
        count: 1,
        examples: [
          {
            subject: 'Movie 1 (2001)',
            details: [
              'show 1',
              expect.stringMatching(/^us netflix (rent|subscription)$/),
              `early: ${says}`,
              `late: ${otherSays}`,
            ],
            command: 'marquee import FEED --source early',
          },
        ],
      })
      await from('late', movie(own))
      expect((await find('sources_disagree'))?.count).toBe(0)
    },
  )

  it('does not take another quality, another link or a missing price for a disagreement', async () => {
    const price = (amount: string) => ({ type: 'rent', price: { amount, currency: 'USD' } })
    await from('a', aMovie({ id: '1', streamingOptions: on({ ...price('2.99'), quality: 'sd' }) }))
    await from('b', aMovie({ id: '1', streamingOptions: on({ ...price('4.99'), quality: 'uhd' }) }))
    await from('c', aMovie({ id: '1', streamingOptions: on({ type: 'rent', link: 'https://other.test/' }) }))
    expect((await find('sources_disagree'))?.count).toBe(0)
  })

  it('counts likely duplicates once, however many titles they share', async () => {
    const named = (id: string, fields: object = {}) =>
      aMovie({ id, title: 'Heat', originalTitle: 'Heat!', imdbId: undefined, tmdbId: undefined, ...fields })
    await service.import(
      aSnapshot(
        named('1', { imdbId: 'tt0113277', translations: { de: { title: 'Hitze', overview: '' } } }),
        named('2', { tmdbId: 'movie/949', releaseYear: 2002, translations: { de: { title: 'Hitze', overview: '' } } }),
        named('3', { releaseYear: 2013, imdbId: 'tt9990001' }),
        named('4', { imdbId: 'tt9990002', tmdbId: 'movie/4', directors: ['Someone'], cast: ['Nobody', 'Else'] }),
        aSeries({ id: '5', title: 'Heat', originalTitle: 'Heat', imdbId: undefined, tmdbId: undefined }),
      ),
    )
    expect(await find('likely_duplicates')).toEqual({
      check: 'likely_duplicates',
      count: 1,
      examples: [
        {
          subject: 'Heat (2001)',
          details: ['show 1 tt0113277', 'show 2 movie/949'],
          command: 'marquee identities join 1 2',
        },
      ],
    })
  })

  it.each([['join'], ['part']] as const)(
    'counts no duplicates after the operator has decided to %s them',
    async (name) => {
      const named = (id: string, more: object) =>
        aMovie({ id, title: 'Heat', originalTitle: 'Heat', imdbId: undefined, tmdbId: undefined, ...more })
      await from('a', named('1', { imdbId: 'tt0113277' }))
      await from('b', named('2', { tmdbId: 'movie/949', releaseYear: 2002, directors: [], cast: [] }))
      expect((await find('likely_duplicates'))?.count).toBe(1)
      const { ledger } = service
      await ledger.commit(() => [new IdentityEditor(ledger.catalog, service.now)[name]('1', '2').batch])
      expect((await find('likely_duplicates'))?.count).toBe(0)
    },
  )

  it('counts services of one name under two ids, and keeps the one with more shows', async () => {
    const service2 = { id: 'netflix-us', name: 'NETFLIX', homePage: 'https://netflix.test' }
    const basic = { id: 'netflix-basic', name: 'Netflix basic with Ads', homePage: 'https://netflix.test' }
    await from('acme', aMovie({ id: '1' }), aMovie({ id: '2' }))
    await from('csv/list', aMovie({ id: '3', streamingOptions: on({ service: service2 }) }))
    await from('other', aMovie({ id: '4', streamingOptions: on({ service: basic }) }))
    expect(await find('services_with_two_ids')).toEqual({
      check: 'services_with_two_ids',
      count: 2,
      examples: [
        {
          subject: 'Netflix',
          details: ['netflix: 2 shows', 'netflix-basic: 1 show'],
          command: `sed 's/"netflix-basic"/"netflix"/g' FEED | marquee import - --source other`,
        },
        {
          subject: 'Netflix',
          details: ['netflix: 2 shows', 'netflix-us: 1 show'],
          command: 'marquee import TABLE.csv --mapping MAPPING.json --source csv/list --service netflix',
        },
      ],
    })
  })

  it('counts genres that nobody has mapped, and none after the command', async () => {
    const genre = { id: 'nordic-noir', name: "Nordic 'Noir'" }
    await service.import(aSnapshot(aMovie({ genres: ['drama', genre] }), aMovie({ genres: [genre] })))
    const finding = await find('unmapped_genres')
    expect(finding).toMatchObject({
      count: 1,
      examples: [{ subject: "Nordic 'Noir'", details: ['id nordic-noir', '2 shows'] }],
    })
    const record = /'(\{.*\})' \|/.exec(finding?.examples[0]?.command ?? '')?.[1]?.replaceAll("'\\''", "'")
    await service.import([{ kind: 'feed', source: 'genres', mode: 'delta' }, JSON.parse(record ?? '{}')])
    expect((await find('unmapped_genres'))?.count).toBe(0)
  })

  it('counts sources that are older than a month, behind their schedule, or incomplete', async () => {
    await from('old', aMovie())
    service.now += 40 * DAY
    await from('new', aMovie())
    await from('planned', aMovie())
    const planned = { name: 'daily run', source: 'planned', every: DAY, failures: 2, running: false, stale: true }
    const schedule = { sources: [{ ...planned, problem: 'the server answers 500' }] }
    expect(await find('stale_sources', schedule)).toEqual({
      check: 'stale_sources',
      count: 2,
      examples: [
        {
          subject: 'old',
          details: ['imported 2026-03-15', '1 offer'],
          command: 'marquee import FEED --source old',
        },
        {
          subject: 'planned',
          details: ['imported 2026-04-24', '1 offer', 'the server answers 500'],
          command: "marquee sources run 'daily run'",
        },
      ],
    })
  })

  it.each([
    ['tmdb', 'marquee sync tmdb --countries gb,tr,us'],
    ['watchmode', 'marquee sync watchmode --countries gb,tr,us'],
    ['v4-api-example-com', 'marquee sync v4 --from URL'],
    ['media-actions/acme', 'marquee import FEED --format media-actions --source media-actions/acme'],
    ['csv/acme', 'marquee import TABLE.csv --mapping MAPPING.json --source csv/acme'],
    ["Joe's list", "marquee import FEED --source 'Joe'\\''s list'"],
  ])('names the command that fetches the stale source %s again', async (source, command) => {
    await from(source, aMovie())
    service.now += 40 * DAY
    expect((await find('stale_sources'))?.examples[0]?.command).toBe(command)
  })

  it('reads the titles page by page, and misses none', async () => {
    const twins = Array.from({ length: 12 }, (_, i) => aMovie({ id: String(i + 1), title: `Twin ${i % 6}` }))
    await service.import(aSnapshot(...twins, aMovie({ title: 'Alone' })))
    const { postings } = service.ledger.catalog
    const whole = postings.sharedTerms('e/', undefined, 1_000)
    expect(whole.last).toBeUndefined()
    expect(whole.lists).toEqual(Array.from({ length: 6 }, () => [expect.any(Number), expect.any(Number)]))
    const lists: number[][] = []
    for (let after: string | undefined; ; ) {
      const page = postings.sharedTerms('e/', after, 3)
      lists.push(...page.lists)
      after = page.last
      if (after === undefined) break
    }
    expect(lists).toEqual(whole.lists)
  })

  it('shows its progress, and leaves deleted shows out', async () => {
    await service.import(aSnapshot(...Array.from({ length: 30 }, () => aMovie()), aMovie({ id: '1' })))
    await service.import([
      { kind: 'feed', source: 'test', mode: 'delta' },
      { kind: 'remove', id: '1' },
    ])
    const progress: [string, number, number][] = []
    const { shows } = await examineCatalog(service.ledger.catalog, {
      schedule: { sources: [] },
      now: NOW,
      onProgress: (...step) => progress.push(step),
    })
    expect(shows).toBe(30)
    expect(progress).toEqual([
      ['shows checked', 0, 0],
      ['titles compared', 0, 0.85],
    ])
  })
})
