import { describe, expect, it, onTestFinished } from 'vitest'
import { type Show, showItems } from '../../src/model/show.ts'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, DAY, idsOf, referenceRecords } from '../support/builders.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

type Json = Record<string, unknown>

/** A service with an empty catalog, for one test. */
async function aService(): Promise<TestService> {
  const service = await TestService.open(temporaryFolder())
  onTestFinished(() => service.close())
  return service
}

const snapshot = (source: string, ...records: Json[]): Json[] => [
  { kind: 'feed', source, mode: 'snapshot' },
  ...referenceRecords(),
  ...records,
]
const delta = (source: string, ...records: Json[]): Json[] => [
  { kind: 'feed', source, mode: 'delta' },
  ...referenceRecords(),
  ...records,
]
const scoped = (scope: Json, [head, ...rest]: Json[]): Json[] => [{ ...head, scope }, ...rest]

/** An option whose link names its source. */
const by = (source: string, fields: Json = {}) => anOption({ link: `https://${source}.test`, ...fields })
const on = (...options: Json[]) => ({ us: options })

function known(service: TestService, id: string): Show | undefined {
  const doc = service.ledger.catalog.findDoc(id)
  return doc === undefined ? undefined : service.ledger.catalog.show(doc)
}

/** The offers of a show as `country source link`, in order. */
function offersOf(service: TestService, id: string): string[] {
  const show = known(service, id)
  if (show === undefined) throw new Error(`There is no show ${id}`)
  return [...showItems(show)].flatMap(([{ season, episode }, offers]) =>
    Object.entries(offers).flatMap(([country, list]) =>
      list.map(({ source, link }) =>
        [season, episode, country, source, link].filter((part) => part !== undefined).join(' '),
      ),
    ),
  )
}

/** Changes of a country as `type item show service`, the oldest first. */
async function changesOf(service: TestService, type: string, item = 'show', country = 'us'): Promise<string[]> {
  const path = `/changes?country=${country}&change_type=${type}&item_type=${item}`
  const { changes } = await service.allChanges(path)
  return changes.map(({ changeType, showId, service: on, link }) => `${changeType} ${showId} ${on.id} ${link}`)
}

describe('two sources of one show', () => {
  const show = (...options: Json[]) => aMovie({ id: '1', streamingOptions: on(...options) })

  it('stand side by side, in the order in which they came', async () => {
    const service = await aService()
    await service.import(snapshot('a', show(by('a'))))
    await service.import(snapshot('b', show(by('b'))))
    expect(offersOf(service, '1')).toEqual(['us a https://a.test', 'us b https://b.test'])
    const { body } = await service.get('/shows/1')
    expect(body.streamingOptions.us.map(({ link }: Json) => link)).toEqual(['https://a.test', 'https://b.test'])
  })

  it('keep their places when one of them speaks again', async () => {
    const service = await aService()
    for (const source of ['a', 'b', 'c']) await service.import(delta(source, show(by(source))))
    await service.import(delta('b', show(by('b'), by('b', { quality: 'sd', link: 'https://b.test/sd' }))))
    expect(offersOf(service, '1')).toEqual([
      'us a https://a.test',
      'us b https://b.test',
      'us b https://b.test/sd',
      'us c https://c.test',
    ])
  })

  it.each(['snapshot', 'delta'])('do not remove each other in a %s that does not have the offer', async (mode) => {
    const service = await aService()
    await service.import(snapshot('a', show(by('a'))))
    await service.import(snapshot('b', show(by('b'), by('b', { service: 'prime', type: 'rent' }))))
    const feed = mode === 'snapshot' ? snapshot : delta
    await service.import(feed('a', show()), { force: true })
    expect(offersOf(service, '1')).toEqual(['us b https://b.test', 'us b https://b.test'])
    await service.import(feed('b', show()), { force: true })
    expect(offersOf(service, '1')).toEqual([])
  })

  it('do not remove each other in a snapshot without the show', async () => {
    const service = await aService()
    await service.import(snapshot('a', show(by('a'))))
    await service.import(snapshot('b', show(by('b'))))
    const report = await service.import(snapshot('a', aMovie({ id: '2', streamingOptions: on(by('a')) })), {
      force: true,
    })
    expect(report.changes).toEqual({ new: 1, updated: 1, removed: 0 })
    expect(offersOf(service, '1')).toEqual(['us b https://b.test'])
  })

  it('make one change between them where both offer the same, and none where one goes and nothing differs', async () => {
    const service = await aService()
    await service.import(snapshot('a', show(by('a', { service: 'netflix' }))))
    service.now += DAY
    await service.import(snapshot('b', show(by('b', { service: 'netflix' }))))
    expect(await changesOf(service, 'new')).toEqual(['new 1 netflix https://a.test'])
    expect(await changesOf(service, 'updated')).toEqual(['updated 1 netflix https://a.test'])
    service.now += DAY
    await service.import(snapshot('b', aMovie({ id: '9', streamingOptions: {} })), { force: true })
    expect(await changesOf(service, 'removed')).toEqual([])
    service.now += DAY
    await service.import(snapshot('a', aMovie({ id: '9', streamingOptions: {} })), { force: true })
    expect(await changesOf(service, 'removed')).toEqual(['removed 1 netflix https://a.test'])
  })

  it('keep seasons and episodes that only one of them knows', async () => {
    const service = await aService()
    const long = aSeries({ id: '1' })
    const [first] = long.seasons as [Json, Json]
    await service.import(snapshot('a', long))
    await service.import(snapshot('b', { ...long, seasons: [first] }))
    expect(offersOf(service, '1').filter((offer) => offer.startsWith('2'))).toHaveLength(3)
    await service.import(snapshot('a', { ...long, seasons: [first] }), { force: true })
    expect(known(service, '1')?.seasons).toHaveLength(1)
  })

  it('may each say what the show is called: the latest holds', async () => {
    const service = await aService()
    await service.import(snapshot('a', aMovie({ id: '1', title: 'One', runtime: 10 })))
    await service.import(snapshot('b', aMovie({ id: '1', title: 'Two', runtime: 20 })))
    expect((await service.get('/shows/1')).body).toMatchObject({ title: 'Two', runtime: 20 })
  })
})

describe('a snapshot with a scope', () => {
  const both = (...links: string[]) => ({
    us: links.map((link) => by('a', { link })),
    gb: [by('a', { service: 'prime' })],
  })

  it('replaces what its source said in those countries, and nothing else', async () => {
    const service = await aService()
    await service.import(
      snapshot('a', aMovie({ id: '1', streamingOptions: both('x') }), aMovie({ id: '2', streamingOptions: both('y') })),
    )
    await service.import(delta('b', aMovie({ id: '2', streamingOptions: on(by('b')) })))
    const feed = scoped({ countries: ['US'] }, snapshot('a', aMovie({ id: '1', streamingOptions: both('z') })))
    const report = await service.import(feed, { force: true })
    expect(report.notices).toEqual({ out_of_scope: 1 })
    expect(offersOf(service, '1')).toEqual(['gb a https://a.test', 'us a z'])
    expect(offersOf(service, '2')).toEqual(['gb a https://a.test', 'us b https://b.test'])
  })

  it('replaces what its source said of those services, and nothing else', async () => {
    const service = await aService()
    const options = on(by('a', { service: 'netflix' }), by('a', { service: 'prime', type: 'free' }))
    await service.import(snapshot('a', aMovie({ id: '1', streamingOptions: options })))
    const report = await service.import(
      scoped({ services: ['prime'] }, snapshot('a', aMovie({ id: '2', streamingOptions: {} }))),
      {
        force: true,
      },
    )
    expect(report.changes).toEqual({ new: 0, updated: 0, removed: 1 })
    expect(known(service, '1')?.offers.us?.map(({ service }) => service)).toEqual(['netflix'])
  })

  it('speaks only of where both limits hold', async () => {
    const service = await aService()
    const all = { us: [by('a'), by('a', { service: 'prime' })], gb: [by('a'), by('a', { service: 'prime' })] }
    await service.import(snapshot('a', aMovie({ id: '1', streamingOptions: all })))
    const scope = { countries: ['gb'], services: ['prime'] }
    await service.import(scoped(scope, snapshot('a', aMovie({ id: '1', streamingOptions: {} }))), { force: true })
    expect(
      Object.entries(known(service, '1')?.offers ?? {}).map(([c, list]) => [c, list.map((o) => o.service)]),
    ).toEqual([
      ['gb', ['netflix']],
      ['us', ['netflix', 'prime']],
    ])
  })

  it('removes nothing if its scope is an empty list', async () => {
    const service = await aService()
    await service.import(snapshot('a', aMovie({ id: '1' })))
    await service.import(scoped({ countries: [] }, snapshot('a', aMovie({ id: '2', streamingOptions: {} }))), {
      force: true,
    })
    expect(offersOf(service, '1')).toHaveLength(1)
  })
})

describe('a delta', () => {
  it('touches only the shows that it names', async () => {
    const service = await aService()
    await service.import(snapshot('a', aMovie({ id: '1' }), aMovie({ id: '2' })))
    const report = await service.import(
      delta('a', aMovie({ id: '2', streamingOptions: on(by('a', { service: 'prime' })) })),
    )
    expect(report).toMatchObject({ altered: 1, changes: { new: 1, updated: 0, removed: 1 } })
    expect(offersOf(service, '1')).toHaveLength(1)
  })

  it('takes a show out, by any of its ids, which then is found by none, but still tells its changes', async () => {
    for (const id of [{ id: '1' }, { imdbId: 'tt0000001' }, { tmdbId: 'movie/1' }]) {
      const service = await aService()
      await service.import(snapshot('a', aMovie({ id: '1' }), aMovie({ id: '2' })))
      service.now += DAY
      const report = await service.import(delta('a', { kind: 'remove', ...id }))
      expect(report).toMatchObject({ notices: {}, changes: { new: 0, updated: 0, removed: 1 } })
      for (const path of ['/shows/1', '/shows/tt0000001', '/shows/movie/1'])
        expect((await service.get(path)).status).toBe(404)
      expect(idsOf((await service.get('/shows/search/filters?country=us')).body.shows)).toEqual(['2'])
      expect(
        (await service.get('/shows/search/title?country=us&title=movie+1')).body.map(({ id }: Json) => id),
      ).not.toContain('1')
      const { changes, shows } = await service.allChanges('/changes?country=us&change_type=removed&item_type=show')
      expect(changes).toHaveLength(1)
      expect(shows['1']).toMatchObject({ id: '1', title: 'Movie 1', streamingOptions: {} })
      expect(await changesOf(service, 'new')).toContain('new 1 netflix https://netflix.test/title/1')
    }
  })

  it('leaves a show in the catalog that another source offers', async () => {
    const service = await aService()
    await service.import(snapshot('a', aMovie({ id: '1', streamingOptions: on(by('a')) })))
    await service.import(snapshot('b', aMovie({ id: '1', streamingOptions: on(by('b', { service: 'prime' })) })))
    await service.import(delta('a', { kind: 'remove', id: '1' }))
    expect((await service.get('/shows/1')).body.streamingOptions.us).toHaveLength(1)
    await service.import(delta('b', { kind: 'remove', id: '1' }))
    expect((await service.get('/shows/1')).status).toBe(404)
  })

  it('removes within its scope only', async () => {
    const service = await aService()
    await service.import(snapshot('a', aMovie({ id: '1', streamingOptions: { us: [by('a')], gb: [by('a')] } })))
    await service.import(scoped({ countries: ['us'] }, delta('a', { kind: 'remove', id: '1' })))
    expect(offersOf(service, '1')).toEqual(['gb a https://a.test'])
  })

  it('brings a show back that was taken out, under its old id', async () => {
    const service = await aService()
    await service.import(snapshot('a', aMovie({ id: '1' })))
    await service.import(delta('a', { kind: 'remove', id: '1' }))
    service.now += DAY
    const report = await service.import(delta('a', { ...aMovie({ id: '1' }), id: undefined }))
    expect(report).toMatchObject({ created: 0, altered: 1, changes: { new: 1, updated: 0, removed: 0 } })
    expect((await service.get('/shows/tt0000001')).body.id).toBe('1')
    expect(service.ledger.catalog.counts().shows).toBe(1)
  })

  it('notes that it removes what is not there', async () => {
    const service = await aService()
    await service.import(snapshot('a', aMovie({ id: '1' })))
    const { noticeList } = await service.import(delta('a', { kind: 'remove', imdbId: 'tt404' }))
    expect(noticeList).toMatchObject([{ code: 'unknown_show', line: referenceRecords().length + 2, record: 'tt404' }])
  })
})

describe('a show is recognised', () => {
  const NO_DETAILS = { directors: undefined, cast: undefined, runtime: undefined }
  const OTHER_PEOPLE = { directors: ['Zoe Director'], cast: ['Yan Actor', 'Xena Actor', 'Will Actor'] }
  const original = () => aMovie({ id: '1', imdbId: 'tt11', tmdbId: 'movie/22', title: 'Heat', releaseYear: 1995 })

  it.each<[string, Json]>([
    ['by its own id', { id: '1', imdbId: '', tmdbId: '', title: 'Other', releaseYear: 1 }],
    ['by its IMDb id', { id: undefined, imdbId: 'tt11', tmdbId: '', title: 'Other', releaseYear: 1 }],
    ['by its TMDB id', { id: undefined, imdbId: '', tmdbId: 'movie/22', title: 'Other', releaseYear: 1 }],
    ['by its IMDb id, whatever own id is wished for', { id: '99', imdbId: 'tt11', tmdbId: '', title: 'Other' }],
    ['by title, year and type', { id: undefined, imdbId: '', tmdbId: '', title: 'Heat', releaseYear: 1995 }],
    ['by title and people, a year off', { id: undefined, imdbId: '', tmdbId: '', title: 'Heat', releaseYear: 1996 }],
    ['by title and people, without a year', { id: undefined, imdbId: '', tmdbId: '', releaseYear: undefined }],
    ['by original title, year and type', { id: '99', imdbId: '', tmdbId: '', title: 'Movie 1', releaseYear: 1995 }],
  ])('%s', async (_, fields) => {
    const service = await aService()
    await service.import(snapshot('a', original()))
    const report = await service.import(delta('b', { ...original(), ...fields }))
    expect(report).toMatchObject({ created: 0, notices: {} })
    expect(service.ledger.catalog.counts().shows).toBe(1)
    expect(known(service, 'tt11')?.id).toBe('1')
    // What was known by no other name stays known.
    expect(known(service, 'movie/22')?.id).toBe('1')
  })

  it.each<[string, Json]>([
    ['of another year', { title: 'Heat', releaseYear: 1999, ...NO_DETAILS }],
    ['a year off, and made by others', { title: 'Heat', releaseYear: 1996, ...OTHER_PEOPLE }],
    ['of the same year, and made by others', { title: 'Heat', releaseYear: 1995, ...OTHER_PEOPLE }],
    ['of another title', { title: 'Heat 2', originalTitle: 'Heat 2', releaseYear: 1995 }],
    ['without a year, people and runtime', { title: 'Heat', releaseYear: undefined, ...NO_DETAILS }],
    ['with another IMDb id', { title: 'Heat', releaseYear: 1995, imdbId: 'tt12' }],
  ])('as another one if it is %s', async (_, fields) => {
    const service = await aService()
    await service.import(snapshot('a', original()))
    const report = await service.import(delta('b', { ...original(), id: undefined, imdbId: '', tmdbId: '', ...fields }))
    expect(report).toMatchObject({ created: 1, notices: {} })
    expect(service.ledger.catalog.counts().shows).toBe(2)
  })

  it('as another one if it is a series of the same title and year', async () => {
    const service = await aService()
    await service.import(snapshot('a', original()))
    const report = await service.import(
      delta('b', { ...aSeries({ title: 'Heat', firstAirYear: 1995, imdbId: '', tmdbId: '' }), id: undefined }),
    )
    expect(report.created).toBe(1)
  })

  it('by ids that arrive later', async () => {
    const service = await aService()
    await service.import(snapshot('a', { ...original(), id: '1', imdbId: '', tmdbId: '' }))
    await service.import(delta('b', { ...original(), id: undefined, imdbId: 'tt11', tmdbId: '' }))
    await service.import(
      delta('c', { ...original(), id: undefined, imdbId: 'tt11', tmdbId: 'movie/22', title: 'Renamed' }),
    )
    await service.import(delta('d', { ...original(), id: undefined, imdbId: '', tmdbId: 'movie/22', title: 'Again' }))
    expect(service.ledger.catalog.counts().shows).toBe(1)
    expect((await service.get('/shows/movie/22')).body).toMatchObject({ id: '1', imdbId: 'tt11', title: 'Again' })
    expect(offersOf(service, '1')).toHaveLength(4)
  })

  it('as a new one, with a notice, if several fit by title', async () => {
    const service = await aService()
    await service.import(
      snapshot(
        'a',
        aMovie({ id: '1', title: 'Heat', releaseYear: 1995 }),
        aMovie({ id: '2', title: 'Heat', releaseYear: 1995 }),
      ),
    )
    const stranger = { ...aMovie({ title: 'Heat', releaseYear: 1995, imdbId: '', tmdbId: '' }), id: undefined }
    const report = await service.import(delta('b', stranger))
    expect(report).toMatchObject({ created: 1, notices: { ambiguous_show: 1 } })
    expect(report.noticeList[0]?.message).toContain('1, 2')
    expect(known(service, '3')?.title).toBe('Heat')
  })

  it('as a new one under a new id, with a notice, if its id belongs to a different show', async () => {
    const service = await aService()
    await service.import(snapshot('a', original()))
    const report = await service.import(
      delta('b', aMovie({ id: '1', imdbId: 'tt77', tmdbId: 'movie/77', title: 'Ronin' })),
    )
    expect(report).toMatchObject({ created: 1, notices: { id_taken: 1 } })
    expect(known(service, '1')?.title).toBe('Heat')
    expect(known(service, 'tt77')).toMatchObject({ id: '2', title: 'Ronin' })
    // The next time it is known, and nothing is to be noted but that its id is still not the one it wishes for.
    const again = await service.import(
      delta('b', aMovie({ id: '1', imdbId: 'tt77', tmdbId: 'movie/77', title: 'Ronin' })),
    )
    expect(again).toMatchObject({ created: 0, altered: 0, unchanged: 1 })
  })

  it('by the IMDb id, with a notice, if the TMDB id belongs to a different show, which keeps it', async () => {
    const service = await aService()
    await service.import(snapshot('a', aMovie({ id: '1' }), aMovie({ id: '2' })))
    const report = await service.import(delta('b', aMovie({ id: '9', imdbId: 'tt0000001', tmdbId: 'movie/2' })))
    expect(report).toMatchObject({ created: 0, altered: 1, notices: { ids_disagree: 1 } })
    expect((await service.get('/shows/tt0000001')).body).toMatchObject({ id: '1', tmdbId: 'movie/1' })
    expect((await service.get('/shows/movie/2')).body).toMatchObject({ id: '2', tmdbId: 'movie/2' })
    await service.import(delta('b', aMovie({ id: '1' })))
    expect((await service.get('/shows/movie/2')).body.id).toBe('2')
  })

  it('as a new one, with a notice, if its TMDB id belongs to a show with another IMDb id', async () => {
    const service = await aService()
    await service.import(snapshot('a', original()))
    const wrong = aMovie({ id: '9', imdbId: 'tt12', tmdbId: 'movie/22', title: 'Ronin', releaseYear: 1998 })
    const report = await service.import(delta('b', wrong))
    expect(report).toMatchObject({ created: 1, notices: { ids_disagree: 1 } })
    expect((await service.get('/shows/tt11')).body).toMatchObject({ id: '1', title: 'Heat', tmdbId: 'movie/22' })
    expect((await service.get('/shows/tt12')).body).toMatchObject({ id: '9', title: 'Ronin' })
    expect((await service.get('/shows/movie/22')).body.id).toBe('1')
    expect(await service.import(delta('b', wrong))).toMatchObject({ created: 0, altered: 0 })
  })

  it('once in a feed: a second record about it is noted and left out', async () => {
    const service = await aService()
    const report = await service.import(snapshot('a', original(), { ...original(), id: '5', title: 'Second' }))
    expect(report).toMatchObject({ created: 1, notices: { duplicate_show: 1 } })
    expect(known(service, '1')?.title).toBe('Heat')
  })
})

describe('two shows that turn out to be one', () => {
  const first = () => aMovie({ id: '10', imdbId: '', tmdbId: 'movie/1', title: 'One', streamingOptions: on(by('a')) })
  const second = () =>
    aMovie({
      id: '20',
      imdbId: 'tt2',
      tmdbId: '',
      title: 'Two',
      streamingOptions: { gb: [by('b', { service: 'prime' })] },
    })
  const joining = () =>
    aMovie({
      id: '30',
      imdbId: 'tt2',
      tmdbId: 'movie/1',
      title: 'Both',
      streamingOptions: on(by('c', { service: 'tubi', type: 'free' })),
    })
  const list = (shows: string[]) => ({ kind: 'top', country: 'us', service: 'netflix', showType: 'movie', shows })

  async function merged(): Promise<TestService> {
    const service = await aService()
    await service.import(snapshot('a', first(), aMovie({ id: '15' }), list(['15', '10'])))
    await service.import(snapshot('b', second(), { ...list(['20', '15', '10']), country: 'gb' }))
    service.now += DAY
    const report = await service.import(delta('c', joining()))
    expect(report).toMatchObject({ created: 0, notices: { shows_merged: 1 }, changes: { removed: 0 } })
    return service
  }

  it('go on under the older id, and the other id still answers', async () => {
    const service = await merged()
    const { text, body } = await service.get('/shows/10')
    expect(body).toMatchObject({ id: '10', imdbId: 'tt2', tmdbId: 'movie/1', title: 'Both' })
    for (const path of ['/shows/20', '/shows/tt2', '/shows/movie/1']) expect((await service.get(path)).text).toBe(text)
    expect(service.ledger.catalog.counts().shows).toBe(2)
    expect((await service.get('/shows/30')).status).toBe(404)
  })

  it('have the offers of both, and of the one who said so', async () => {
    const service = await merged()
    expect(offersOf(service, '10')).toEqual(['gb b https://b.test', 'us a https://a.test', 'us c https://c.test'])
    expect(service.ledger.catalog.counts().offersBySource).toEqual({ a: 2, b: 1, c: 1 })
  })

  it('keep every offer of a source that had spoken of both', async () => {
    const service = await aService()
    const here = (link: string, more: Json = {}) => by('a', { link, type: 'rent', service: 'prime', ...more })
    const options = [here('https://a.test/1'), here('https://a.test/2'), here('https://a.test/2', { type: 'buy' })]
    await service.import(
      snapshot(
        'a',
        aMovie({ id: '10', imdbId: 'tt1', tmdbId: '', streamingOptions: on(options[0] as Json) }),
        aMovie({ id: '20', imdbId: '', tmdbId: 'movie/2', streamingOptions: on(...options.slice(0, 3)) }),
      ),
    )
    const joining = aMovie({ id: '30', imdbId: 'tt1', tmdbId: 'movie/2', streamingOptions: {} })
    expect(await service.import(delta('c', joining))).toMatchObject({ changes: { removed: 0 } })
    const links = ['us a https://a.test/1', 'us a https://a.test/2', 'us a https://a.test/2']
    expect(offersOf(service, '10')).toEqual(links)
  })

  it('are found once, under the one id', async () => {
    const service = await merged()
    for (const country of ['us', 'gb']) {
      const { shows } = await service.allShows(`/shows/search/filters?country=${country}`)
      expect(idsOf(shows).sort()).toEqual(country === 'us' ? ['10', '15'] : ['10'])
    }
    for (const title of ['Both', 'One', 'Two']) {
      const { body } = await service.get(`/shows/search/title?country=us&title=${title}`)
      expect(body.map(({ id }: Json) => id)).toEqual(title === 'Both' ? ['10'] : [])
    }
  })

  it('stand once in a top list that named both', async () => {
    const service = await merged()
    expect(idsOf((await service.get('/shows/top?country=us&service=netflix')).body)).toEqual(['15', '10'])
    expect(idsOf((await service.get('/shows/top?country=gb&service=netflix')).body)).toEqual(['10', '15'])
  })

  it('tell their changes, each with a show', async () => {
    const service = await merged()
    const { changes, shows } = await service.allChanges('/changes?country=gb&change_type=new&item_type=show')
    expect(changes.map(({ showId }) => showId)).toContain('20')
    for (const { showId } of changes) expect(shows[showId]).toBeDefined()
  })

  it('stay one for the sources that knew only one of them', async () => {
    const service = await merged()
    const before = offersOf(service, '10')
    for (const feed of [snapshot('a', first(), aMovie({ id: '15' })), snapshot('b', second())]) {
      const report = await service.import(feed)
      expect(report).toMatchObject({ created: 0, changes: { new: 0, updated: 0, removed: 0 } })
    }
    expect(offersOf(service, '10')).toEqual(before)
    expect(known(service, '20')?.id).toBe('10')
  })

  it('lose the offers of a source that drops them, under whichever id', async () => {
    const service = await merged()
    await service.import(delta('b', { kind: 'remove', id: '20' }))
    expect(offersOf(service, '10')).toEqual(['us a https://a.test', 'us c https://c.test'])
    await service.import(snapshot('a', aMovie({ id: '15' })), { force: true })
    expect(offersOf(service, '10')).toEqual(['us c https://c.test'])
  })

  it('are one from the start if the same feed says so first', async () => {
    const service = await aService()
    const report = await service.import(snapshot('a', joining(), first(), second()))
    expect(report).toMatchObject({ created: 1, notices: { duplicate_show: 2 } })
  })

  it('are merged again with a third', async () => {
    const service = await aService()
    await service.import(snapshot('a', first()))
    await service.import(snapshot('b', second()))
    await service.import(
      snapshot('d', aMovie({ id: '5', imdbId: '', tmdbId: '', title: 'Third', streamingOptions: on(by('d')) })),
    )
    await service.import(delta('c', joining()))
    await service.import(
      delta('e', aMovie({ id: '5', imdbId: 'tt5', tmdbId: '', title: 'Third', streamingOptions: {} })),
    )
    // Only a record with an id of each joins 5 and 10; 10 has an IMDb id of its own.
    const { notices } = await service.import(
      aDelta(aMovie({ id: '5', imdbId: 'tt5', tmdbId: 'movie/1', streamingOptions: {} })),
    )
    expect(notices).toEqual({ ids_disagree: 1 })
    for (const id of ['10', '20', 'tt2', 'movie/1']) expect(known(service, id)?.id).toBe('10')
    for (const id of ['5', 'tt5']) expect(known(service, id)?.id).toBe('5')
  })

  it('keep their seasons and episodes together', async () => {
    const service = await aService()
    const series = (fields: Json) => aSeries({ id: '10', ...fields })
    await service.import(snapshot('a', series({ id: '10', imdbId: '', tmdbId: 'tv/1' })))
    await service.import(snapshot('b', series({ id: '20', imdbId: 'tt2', tmdbId: '', title: 'Two' })))
    const plain = aSeries({ id: '10', imdbId: 'tt2', tmdbId: 'tv/1', streamingOptions: {}, seasons: undefined })
    expect((await service.import(delta('c', plain))).notices).toEqual({ shows_merged: 1 })
    const offers = offersOf(service, '20')
    expect(offers.filter((offer) => / a /.test(offer))).toHaveLength(7)
    expect(offers.filter((offer) => / b /.test(offer))).toHaveLength(7)
    const { body } = await service.get('/shows/10?country=us')
    expect(body.seasons[1].episodes[1].streamingOptions.us).toHaveLength(2)
  })
})

describe('a snapshot of the test source', () => {
  it('leaves a show without offers in the catalog, found by id and by title', async () => {
    const service = await aService()
    await service.import(aSnapshot(aMovie({ id: '1' }), aMovie({ id: '2' })))
    await service.import(aSnapshot(aMovie({ id: '2' })), { force: true })
    expect((await service.get('/shows/1')).body.streamingOptions).toEqual({})
    expect(idsOf((await service.get('/shows/search/title?country=us&title=Movie+1')).body)).toContain('1')
    expect(idsOf((await service.get('/shows/search/filters?country=us')).body.shows)).toEqual(['2'])
  })
})
