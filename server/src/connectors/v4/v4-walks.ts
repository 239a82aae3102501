import type { JsonObject } from '../../ingest/parse/fields.ts'
import type { Clock } from '../../lib/clock.ts'
import { isLanguageCode, listAlpha2Languages, OUTPUT_LANGUAGES, toAlpha2Language } from '../../model/language.ts'
import type { PopularityWindow } from '../../model/show.ts'
import { ApiUnavailableError } from '../fetch/api-client.ts'
import { objectField, toObjects, toText } from '../records/values.ts'
import type { FetchOutcome } from '../sync/sync-store.ts'
import { toRemoval } from '../sync/title-sync.ts'
import {
  buildShowRecord,
  type CatalogFilter,
  pickShowId,
  type RecordContext,
  readUpcoming,
  type UpcomingOffer,
} from './records.ts'
import type { ShowPage, V4Client } from './v4-client.ts'
import type { ShowDetails, StepResult, StoredPage, SyncTask, V4Store } from './v4-store.ts'

/** What the walks read from and write to. */
export interface WalkContext {
  readonly client: V4Client
  readonly store: V4Store
  readonly clock: Clock
  readonly filter: CatalogFilter
  readonly records: RecordContext
  /** The key of the scope of records. */
  readonly scope: string
  readonly languages: readonly string[]
  /** When the run began. */
  readonly startedAt: number
  /** Called for each page; throws if the sync stops. */
  readonly onPage: (outcomes: number) => Promise<void>
}

/** Fetches the pages of a task one after the other and stores what each gives; an interrupted walk goes on at its cursor. */
async function walkPages(
  task: SyncTask,
  { store, clock, startedAt, onPage }: WalkContext,
  fetchPage: (cursor: string | undefined, count: number) => Promise<StepResult>,
): Promise<void> {
  for (;;) {
    const position = store.position(task)
    const { cursor, count = 0 } = position ?? {}
    let result: StepResult
    try {
      result = await fetchPage(cursor, count)
    } catch (error) {
      const isCursorRefused = error instanceof ApiUnavailableError && error.status === 400 && cursor !== undefined
      if (!isCursorRefused) throw error
      await store.restartWalk(task)
      continue
    }
    if (result.next !== undefined && result.next === cursor) {
      throw new ApiUnavailableError(`The service answers the same cursor again: ${cursor.slice(0, 80)}`)
    }
    await store.saveStep(task, position, clock(), result)
    await onPage(result.outcomes?.length ?? 0)
    if (result.next === undefined) {
      await store.completeTask(task, startedAt)
      return
    }
  }
}

/** The outcome of a fetched show in a country. */
export function toOutcome(show: JsonObject, country: string, context: WalkContext): FetchOutcome {
  const { store, clock, records, scope } = context
  const key = `${country}/${show.id}`
  const record = buildShowRecord(show, country, store.getUpcoming(key), records)
  return { key, record: JSON.stringify(record), at: clock(), scope, removal: toRemoval(show) }
}

/** Walks the shows of a country, one show type at a time: `walk us movie 0`. */
export function walkShows(task: SyncTask, context: WalkContext): Promise<void> {
  const { client, store, filter } = context
  const [, country = '', showType, part] = task.key.split(' ')
  const query = {
    country,
    show_type: showType,
    series_granularity: 'episode',
    catalogs: filter.parameters()[Number(part)],
    order_by: 'original_title',
  }
  return walkPages(task, context, async (cursor) => {
    const stored = store.page(task, cursor)
    const page = await client.searchPage({ ...query, cursor }, stored?.etag)
    if (page === undefined) return notModified(stored, client.host)
    const outcomes = page.shows.map((show) => toOutcome(show, country, context))
    const keys = outcomes.map(({ key }) => key)
    const audioLanguages = page.shows.flatMap((show) => listAudioLanguages(show, country))
    return { outcomes, audioLanguages, next: page.next, ...pageField(page, keys) }
  })
}

/** A page that has not changed: its shows are still there, and the next page is known. */
function notModified(stored: StoredPage | undefined, host: string): StepResult & { page: StoredPage } {
  if (stored === undefined) throw new ApiUnavailableError(`${host} has no filter search`)
  return { unchanged: stored.keys, page: stored, next: stored.next }
}

function pageField({ etag, next }: ShowPage, keys: readonly string[]): { page?: StoredPage } {
  return etag === undefined ? {} : { page: { etag, keys, ...(next !== undefined && { next }) } }
}

/**
 * Walks the past changes of a country: `changes us new 0`. A movie is complete in the answer. A series is not, and a show
 * without offers may be gone: these are fetched by id.
 */
export function walkChanges(task: SyncTask, since: number, context: WalkContext): Promise<void> {
  const { client, store, filter, languages } = context
  const [, country = '', change_type, part] = task.key.split(' ')
  const query = {
    country,
    change_type,
    item_type: 'show',
    catalogs: filter.parameters()[Number(part)],
    from: String(since),
  }
  return walkPages(task, context, async (cursor) => {
    const { changes, shows, next } = await client.changesPage({ ...query, cursor })
    const outcomes: FetchOutcome[] = []
    const changed = new Map<string, readonly string[]>()
    const ids = new Set(changes.map(({ showId }) => toText(showId)))
    for (const id of ids) {
      const show = shows.get(id)
      if (show !== undefined && isComplete(show, country)) outcomes.push(toOutcome(show, country, context))
      else changed.set(id, [country])
    }
    const hasNewShows = [...ids].some((id) => store.getImported(`${country}/${id}`) === undefined)
    if (hasNewShows && change_type === 'new') {
      await store.addTasks(languages.map((language) => `texts ${country} ${language} ${part}`))
    }
    return { outcomes, changed, next }
  })
}

function isComplete(show: JsonObject, country: string): boolean {
  return show.showType === 'movie' && toObjects(objectField(show, 'streamingOptions')[country]).length > 0
}

/** Reads all announced offers of a country: `upcoming us`. */
export async function readUpcomingOffers(task: SyncTask, context: WalkContext): Promise<void> {
  const { client, store, filter, onPage } = context
  const [, country = ''] = task.key.split(' ')
  const offers = new Map<string, UpcomingOffer[]>()
  for (const item_type of ['show', 'season', 'episode']) {
    for (const catalogs of filter.parameters()) {
      const query = { country, change_type: 'upcoming', item_type, catalogs, include_unknown_dates: 'true' }
      for (let cursor: string | undefined; ; ) {
        const { changes, next } = await client.changesPage({ ...query, cursor })
        for (const change of changes) {
          const offer = readUpcoming(change, filter)
          if (offer === undefined) continue
          const key = `${country}/${change.showId}`
          offers.set(key, [...(offers.get(key) ?? []), offer])
          await store.flagService('hasUpcoming', offer.service)
        }
        await onPage(0)
        if (next === undefined || next === cursor) break
        cursor = next
      }
    }
  }
  await store.saveUpcoming(task, country, offers)
}

/** Reads the official top lists of a service: `top us netflix`. Shows of them that are not held are fetched by id. */
export async function readTopLists(task: SyncTask, context: WalkContext): Promise<void> {
  const { client, store, onPage } = context
  const [, country = '', service = ''] = task.key.split(' ')
  const lists: Record<string, string[]> = {}
  for (const show_type of ['movie', 'series']) {
    const shows = await client.topList({ country, service, show_type })
    lists[`${country} ${service} ${show_type}`] = shows.map(pickShowId)
    const unknown = shows.filter(({ id }) => store.getImported(`${country}/${id}`) === undefined)
    await store.addChanged(
      country,
      unknown.map(({ id }) => toText(id)),
    )
    if (shows.length > 0) await store.flagService('hasTopList', service)
    await onPage(0)
  }
  await store.saveTopList(task, lists)
}

/** Walks the shows of a country for one fact: `translate us fr 0`, `rank us alltime 0`, `language us fr 0`. */
export function walkDetails(task: SyncTask, context: WalkContext): Promise<void> {
  const { client, store, filter } = context
  const [phase, country = '', argument = '', part] = task.key.split(' ')
  const query = {
    country,
    series_granularity: 'show',
    catalogs: filter.parameters()[Number(part)],
    ...(phase === 'translate' && { output_language: argument }),
    ...(phase === 'rank' && { order_by: `popularity_${argument}`, order_direction: 'desc' }),
    ...(phase === 'language' && { show_original_language: argument }),
  }
  return walkPages(task, context, async (cursor, count) => {
    const stored = store.page(task, cursor)
    const page = await client.searchPage({ ...query, cursor }, stored?.etag)
    if (page === undefined) {
      const { page: known, next } = notModified(stored, client.host)
      return { page: known, next, count: known.keys.length }
    }
    const details = new Map<string, ShowDetails>()
    const popularity = estimatePopularity(page.shows.length, count, cursor, page.next)
    for (const [i, show] of page.shows.entries()) {
      const fact: ShowDetails =
        phase === 'rank'
          ? { popularity: { [country]: { [argument as PopularityWindow]: popularity[i] ?? 0 } } }
          : phase === 'language'
            ? { originalLanguage: argument }
            : readTexts(show, argument)
      details.set(toText(show.id), { show: readIdentity(show), ...fact })
    }
    return { details, next: page.next, count: page.shows.length, ...pageField(page, [...details.keys()]) }
  })
}

/** Ranks count down from here, so that a higher number is more popular. */
const FIRST_RANK = 1_000_000_000

/**
 * The popularity of the shows of a page, which answers do not print. A cursor of the contract holds the value of the first
 * show of its page; the values between two cursors are interpolated, so that the order is kept and equal values stay
 * equal. Without such cursors, shows are numbered by rank.
 */
export function estimatePopularity(
  length: number,
  before: number,
  cursor: string | undefined,
  next: string | undefined,
): number[] {
  const [first, last] = [parseSortValue(cursor), parseSortValue(next)]
  const hasOtherCursors = (cursor !== undefined && first === undefined) || (next !== undefined && last === undefined)
  if (hasOtherCursors) return Array.from({ length }, (_, i) => FIRST_RANK - before - i)
  const end = last ?? 0
  const start = first ?? 2 * end + length
  return Array.from({ length }, (_, i) => end + ((start - end) * (length - i)) / length)
}

/** The sort value in a cursor of the form `<id>:<sort value>`. */
function parseSortValue(cursor: string | undefined): number | undefined {
  const value = /^\d+:(\d+(?:\.\d+)?)(?::|$)/.exec(cursor ?? '')?.[1]
  return value === undefined ? undefined : Number(value)
}

/** Walks new shows in another language: `texts us fr 0`. */
export function walkTexts(task: SyncTask, since: number, context: WalkContext): Promise<void> {
  const { client, filter } = context
  const [, country = '', language = '', part] = task.key.split(' ')
  const query = {
    country,
    change_type: 'new',
    item_type: 'show',
    catalogs: filter.parameters()[Number(part)],
    from: String(since),
    output_language: language,
  }
  return walkPages(task, context, async (cursor) => {
    const { shows, next } = await client.changesPage({ ...query, cursor })
    const rows = Array.from(shows, ([id, show]): [string, ShowDetails] => [
      id,
      { show: readIdentity(show), ...readTexts(show, language) },
    ])
    return { details: new Map(rows), next }
  })
}

function readTexts(show: JsonObject, language: string): ShowDetails {
  const { title, overview, imageSet } = show
  return { texts: { [language]: { title, overview, imageSet } } }
}

function readIdentity(show: JsonObject): NonNullable<ShowDetails['show']> {
  return { id: pickShowId(show), originalTitle: show.originalTitle }
}

/** The languages of the audio tracks of a show itself in a country. */
function listAudioLanguages(show: JsonObject, country: string): string[] {
  const options = toObjects(objectField(show, 'streamingOptions')[country])
  return options.flatMap(({ audios }) => toObjects(audios).map(({ language }) => toText(language)))
}

/** The languages to ask for: those of audio tracks and of texts, or all if the service prints no audio tracks. */
export function listOriginalLanguages(audioLanguages: readonly string[]): string[] {
  const codes = audioLanguages.flatMap((code) => toAlpha2Language(code) ?? [])
  const asked = codes.length === 0 ? listAlpha2Languages() : [...OUTPUT_LANGUAGES, ...codes]
  return [...new Set(asked)].filter(isLanguageCode)
}
