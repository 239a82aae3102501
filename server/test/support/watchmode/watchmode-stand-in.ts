import type { IncomingMessage } from 'node:http'
import { type StandInAnswer, StandInServer } from '../stand-in-server.ts'
import { buildTitle, PARTS, SOURCES, type TitleDocument } from './title-documents.ts'

/** The key that the stand-in accepts. */
export const WATCHMODE_KEY = 'stand-in-key'

interface WatchmodeStandInOptions {
  readonly titles: number
  /** Requests that the key may make; unlimited by default. */
  readonly quota?: number
  /** Whether the plan of the key has lists of changes; it does by default. */
  readonly paid?: boolean
  readonly now: () => number
}

/** The zone of the dates in requests, behind UTC. */
const EASTERN_OFFSET_SECONDS = 5 * 3_600

/** A server with the API of Watchmode and deterministic generated titles, from its public description. */
export class WatchmodeStandIn extends StandInServer {
  /** Changes a title before it is sent. */
  alter: (title: TitleDocument) => object = (title) => title
  quota: number
  private used = 0
  private readonly options: WatchmodeStandInOptions
  private readonly revisions = new Map<number, number>()
  private readonly changedOn = new Map<number, number>()
  private readonly removed = new Set<number>()

  constructor(options: WatchmodeStandInOptions) {
    super()
    this.options = options
    this.quota = options.quota ?? Number.MAX_SAFE_INTEGER
  }

  /** Changes the overview and the prices of a title. */
  change(id: number): void {
    this.revisions.set(id, (this.revisions.get(id) ?? 0) + 1)
    this.changedOn.set(id, this.options.now())
  }

  remove(id: number): void {
    this.removed.add(id)
    this.changedOn.set(id, this.options.now())
  }

  /** The current document of a title. */
  title(id: number): TitleDocument {
    return buildTitle(id, this.revisions.get(id) ?? 0)
  }

  /** All ids, the most popular first. */
  ids(): number[] {
    return Array.from({ length: this.options.titles }, (_, i) => i + 1).filter((id) => !this.removed.has(id))
  }

  protected answer(url: URL, request: IncomingMessage): StandInAnswer {
    if (url.pathname === '/datasets/title_id_map.csv')
      return { body: this.idMap(), headers: { 'content-type': 'text/csv' } }
    if (request.headers['x-api-key'] !== WATCHMODE_KEY) return refuse(401, 'Invalid API key')
    if (this.used >= this.quota)
      return { ...refuse(402, 'Over plan quota on this API Key'), headers: this.quotaHeaders() }
    this.used++
    return { ...this.document(url), headers: this.quotaHeaders() }
  }

  private quotaHeaders(): Record<string, string> {
    if (this.options.quota === undefined) return {}
    return { 'x-account-quota': String(this.quota), 'x-account-quota-used': String(this.used) }
  }

  private document({ pathname, searchParams: query }: URL): StandInAnswer {
    if (pathname === '/v1/sources/') return { body: SOURCES }
    if (pathname === '/v1/list-titles/') return { body: this.listTitles(query) }
    const changes = /^\/v1\/changes\/(\w+)\/$/.exec(pathname)?.[1]
    if (changes !== undefined) return this.listChanges(changes, query)
    const id = Number(/^\/v1\/title\/(\d+)\/details\/$/.exec(pathname)?.[1])
    if (!this.ids().includes(id)) return refuse(404, 'The resource you requested could not be found.')
    const title = this.alter(this.title(id)) as Record<string, unknown>
    const regions = query.get('regions')?.split(',') ?? []
    const parts = query.get('append_to_response')?.split(',') ?? []
    const fields = Object.entries(title).filter(([name]) => !PARTS.includes(name) || parts.includes(toPart(name)))
    return { body: filterRegions(Object.fromEntries(fields), regions) }
  }

  private listTitles(query: URLSearchParams): object {
    const types = query.get('types')?.split(',') ?? []
    const titles = this.ids()
      .map((id) => this.title(id))
      .filter(({ type }) => types.length === 0 || types.includes(type))
      .map(({ id, title, year, imdb_id, tmdb_id, tmdb_type, type }) => ({
        ...{ id, title, year, imdb_id, tmdb_id, tmdb_type, type },
      }))
    return toPage(titles, query)
  }

  private listChanges(list: string, query: URLSearchParams): StandInAnswer {
    if (this.options.paid === false) return refuse(401, 'This endpoint is not included in your plan')
    const regions = query.get('regions')?.split(',') ?? []
    if (regions.length > 1) return refuse(400, 'There is a limit to 1 region on this endpoint')
    const [from, to] = [readTime(query.get('start_date')), readTime(query.get('end_date'))]
    const ids = [...this.changedOn].filter(([, at]) => at >= from && at <= to).map(([id]) => id)
    return { body: toPage(list === 'titles_sources_changed' ? ids : [], query) }
  }

  private idMap(): string {
    const rows = this.ids().map((id) => {
      const { imdb_id, tmdb_id, tmdb_type, title, year } = this.title(id)
      return `${id},${imdb_id ?? ''},${tmdb_id ?? ''},${tmdb_type ?? ''},"${title}, or so",${year}`
    })
    return `Watchmode ID,IMDB ID,TMDB ID,TMDB Type,Title,Year\n${rows.join('\n')}\n`
  }
}

function refuse(statusCode: number, statusMessage: string): StandInAnswer {
  return { status: statusCode, body: { success: false, statusCode, statusMessage } }
}

/** The name in a request of a part that is appended to the details. */
function toPart(field: string): string {
  return field === 'cast_crew' ? 'cast-crew' : field
}

function toPage(titles: readonly unknown[], query: URLSearchParams): object {
  const [page, limit] = [Number(query.get('page') ?? 1), Math.min(Number(query.get('limit') ?? 250), 250)]
  return {
    titles: titles.slice((page - 1) * limit, page * limit),
    page,
    total_results: titles.length,
    total_pages: Math.ceil(titles.length / limit),
  }
}

function readTime(text: string | null): number {
  const time = text?.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z') ?? ''
  return Date.parse(time) / 1000 + EASTERN_OFFSET_SECONDS
}

/** Keeps the offers of some regions, those of episodes included. */
function filterRegions(title: Record<string, unknown>, regions: readonly string[]): object {
  const filter = (sources: unknown) =>
    (sources as { region: string }[]).filter(({ region }) => regions.length === 0 || regions.includes(region))
  const episodes = title.episodes as { sources: unknown }[] | undefined
  return {
    ...title,
    ...('sources' in title && { sources: filter(title.sources) }),
    ...(episodes !== undefined && { episodes: episodes.map((one) => ({ ...one, sources: filter(one.sources) })) }),
  }
}
