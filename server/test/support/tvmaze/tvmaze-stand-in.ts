import { type StandInAnswer, StandInServer } from '../stand-in-server.ts'

interface TvmazeStandInOptions {
  /** Shows have the ids from 1 to this number. */
  readonly shows: number
  readonly now: () => number
}

/** Ids on one page of the index. */
const PAGE_SIZE = 250

/** A server with the public API of TVmaze and deterministic generated shows. */
export class TvmazeStandIn extends StandInServer {
  private readonly options: TvmazeStandInOptions
  private readonly updated = new Map<number, { readonly at: number; readonly revision: number }>()
  private readonly removed = new Set<number>()

  constructor(options: TvmazeStandInOptions) {
    super()
    this.options = options
  }

  /** Adds an episode to a show. */
  change(id: number): void {
    this.updated.set(id, { at: this.options.now(), revision: (this.updated.get(id)?.revision ?? 0) + 1 })
  }

  remove(id: number): void {
    this.removed.add(id)
    this.change(id)
  }

  protected answer({ pathname, searchParams: query }: URL): StandInAnswer {
    if (pathname === '/updates/shows') return { body: this.listUpdates(query.get('since')) }
    if (pathname === '/shows') return this.indexPage(Number(query.get('page')))
    const id = Number(/^\/shows\/(\d+)$/.exec(pathname)?.[1])
    if (!(id >= 1 && id <= this.options.shows) || this.removed.has(id)) return NOT_FOUND
    const embedded = buildEmbedded(id, this.updated.get(id)?.revision ?? 0)
    const wanted = Object.entries(embedded).filter(([name]) => query.getAll('embed[]').includes(name))
    return { body: { ...buildShow(id), _embedded: Object.fromEntries(wanted) } }
  }

  private indexPage(page: number): StandInAnswer {
    if (page > this.options.shows / PAGE_SIZE) return NOT_FOUND
    const ids = Array.from({ length: PAGE_SIZE }, (_, i) => page * PAGE_SIZE + i)
    const there = ids.filter((id) => id >= 1 && id <= this.options.shows && !this.removed.has(id))
    return { body: there.map(buildShow) }
  }

  private listUpdates(since: string | null): object {
    const days = { day: 1, week: 7, month: 30 }[since ?? ''] ?? Number.POSITIVE_INFINITY
    const oldest = this.options.now() - days * 86_400
    const listed = [...this.updated].filter(([, { at }]) => at >= oldest)
    return listed.length === 0 ? [] : Object.fromEntries(listed.map(([id, { at }]) => [id, at]))
  }
}

const NOT_FOUND: StandInAnswer = {
  status: 404,
  body: { name: 'Not Found', message: 'Page not found.', code: 0, status: 404 },
}

/** Web channels: one for the whole world, one of a country, and one that no table has. */
const WEB_CHANNELS = [
  { id: 3, name: 'Prime Video', country: null, officialSite: 'https://www.primevideo.test' },
  {
    id: 26,
    name: 'BBC iPlayer',
    country: { name: 'United Kingdom', code: 'GB', timezone: 'Europe/London' },
    officialSite: 'https://iplayer.test',
  },
  { id: 777, name: 'Lantern Lane', country: null, officialSite: null },
  null,
]

/** A show with its episodes, cast and titles in other countries. */
export function buildShowDocument(id: number, revision: number): Record<string, unknown> {
  return { ...buildShow(id), _embedded: buildEmbedded(id, revision) }
}

function buildShow(id: number): object {
  return {
    id,
    url: `https://www.tvmaze.test/shows/${id}`,
    name: `Quay ${id}`,
    type: 'Scripted',
    language: 'German',
    genres: ['Drama', 'Science-Fiction'],
    status: 'Ended',
    runtime: 45,
    premiered: '2014-03-01',
    ended: '2016-04-01',
    officialSite: `https://site.test/quay/${id}`,
    rating: { average: id % 5 === 0 ? null : 8.2 },
    weight: 98,
    network: null,
    webChannel: WEB_CHANNELS[id % WEB_CHANNELS.length] ?? null,
    externals: { tvrage: null, thetvdb: 80_000 + id, imdb: id % 4 === 3 ? null : `tt${String(8_000_000 + id)}` },
    image: { medium: `https://img.test/m/${id}.jpg`, original: `https://img.test/o/${id}.jpg` },
    summary: `<p><b>Quay ${id}</b> is about ships &amp; people.</p>`,
    updated: 1_700_000_000,
  }
}

function buildEmbedded(id: number, revision: number): object {
  const episode = (season: number, number: number | null) => ({
    id: id * 1000 + season * 100 + (number ?? 99),
    name: number === null ? 'A special' : `Berth ${number}`,
    season,
    number,
    type: number === null ? 'significant_special' : 'regular',
    airdate: `${2013 + season}-03-0${number ?? 9}`,
    runtime: 45,
    summary: number === 2 ? null : `<p>Berth ${number} of season ${season}.</p>`,
  })
  const extra = Array.from({ length: revision }, (_, i) => episode(2, 3 + i))
  return {
    episodes: [episode(1, 1), episode(1, 2), episode(1, null), episode(2, 1), episode(2, 2), ...extra],
    cast: ['Ada Lowe', 'Sam Reed', 'Ada Lowe'].map((name, i) => ({
      person: { id: i, name },
      character: { name: 'X' },
    })),
    akas: [
      { name: `Kai ${id}`, country: { name: 'Germany', code: 'DE' } },
      { name: `Quai ${id}`, country: null },
    ],
  }
}
