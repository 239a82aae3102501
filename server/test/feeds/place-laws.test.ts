/*
 * The laws of changes by place (item x country x service x type x addon), over random histories of feeds and times. For a
 * long run with a random seed see support/property-runs.ts.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aDelta, aMovie, anOption, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { collectResponses } from '../support/catalog-responses.ts'
import { anyHistory, COUNTRIES, type HistoryOptions, type Step } from '../support/feed-histories.ts'
import { propertyRuns } from '../support/property-runs.ts'
import { type World, withWorlds } from '../support/world.ts'

const ITEM_TYPES = ['show', 'season', 'episode'] as const
const PAST = ['new', 'updated', 'removed'] as const
const FUTURE = ['expiring', 'upcoming'] as const

type ChangeType = (typeof PAST)[number] | (typeof FUTURE)[number]

interface PlaceChange {
  readonly type: ChangeType
  readonly place: string
  readonly timestamp: number
}

interface PrintedChange {
  readonly itemType: string
  readonly showId: string
  readonly season?: number
  readonly episode?: number
  readonly service: { readonly id: string }
  readonly streamingOptionType: string
  readonly addon?: { readonly id: string }
  readonly timestamp: number
}

/** All changes of some types that the service has now, in both countries, about items of all types. */
function listChanges(world: World, types: readonly ChangeType[]): PlaceChange[] {
  const changes: PlaceChange[] = []
  for (const type of types) {
    for (const country of COUNTRIES) {
      const paths = ITEM_TYPES.map((item) => `/changes?country=${country}&change_type=${type}&item_type=${item}`)
      for (const text of Object.values(collectResponses(world, paths))) {
        for (const change of (JSON.parse(text) as { changes: PrintedChange[] }).changes) {
          const { showId, season, episode, service, streamingOptionType, addon, timestamp } = change
          const place = [country, showId, season, episode, service.id, streamingOptionType, addon?.id].join(' ')
          changes.push({ type, place, timestamp })
        }
      }
    }
  }
  return changes
}

interface PrintedOption {
  readonly service: { readonly id: string }
  readonly type: string
  readonly addon?: { readonly id: string }
}

interface PrintedItem {
  readonly streamingOptions: Readonly<Record<string, readonly PrintedOption[]>>
  readonly seasons?: readonly PrintedItem[]
  readonly episodes?: readonly PrintedItem[]
}

/** The places that have a live option now. */
function listLivePlaces(world: World): Set<string> {
  const places = new Set<string>()
  const addItem = (item: PrintedItem, showId: string, season?: number, episode?: number) => {
    for (const [country, options] of Object.entries(item.streamingOptions)) {
      for (const { service, type, addon } of options) {
        places.add([country, showId, season, episode, service.id, type, addon?.id].join(' '))
      }
    }
  }
  const { ids } = world.ledger.catalog.environment
  const showIds = [...ids.getKeys({})].filter((id) => /^\d+$/.test(id))
  for (const text of Object.values(
    collectResponses(
      world,
      showIds.map((id) => `/shows/${id}`),
    ),
  )) {
    if (text === 'not found') continue
    const show = JSON.parse(text) as PrintedItem & { readonly id: string }
    addItem(show, show.id)
    show.seasons?.forEach((season, s) => {
      addItem(season, show.id, s + 1)
      season.episodes?.forEach((episode, e) => {
        addItem(episode, show.id, s + 1, e + 1)
      })
    })
  }
  return places
}

const distinctShows: HistoryOptions = { merges: false, emptyLists: false }

/** Histories in which no feed is imported at the instant of another feed or of a window. */
const anyTimedHistory = anyHistory(distinctShows).map((steps) =>
  steps.map((step, i): Step => ({ ...step, seconds: step.seconds + 7 + i })),
)

const runs = (numRuns: number, seed: number) => propertyRuns(numRuns, seed, 20_000)

describe('places and changes', () => {
  it('every expiring and upcoming change is followed by exactly one removed or new change at its instant', async () => {
    let followed = 0
    await fc.assert(
      fc.asyncProperty(anyTimedHistory, (steps) =>
        withWorlds(async (world) => {
          for (const { feed, seconds } of steps) {
            await world.import(feed)
            const start = world.now
            const announced = listChanges(world, FUTURE).filter(({ timestamp }) => timestamp <= start + seconds)
            await world.advance(seconds)
            const happened = listChanges(world, ['new', 'removed']).filter(({ timestamp }) => timestamp > start)
            followed += announced.length
            for (const { type, place, timestamp } of announced) {
              const outcome = happened.filter((change) => change.place === place && change.timestamp === timestamp)
              expect(outcome).toEqual([{ type: type === 'expiring' ? 'removed' : 'new', place, timestamp }])
            }
            // Nothing else begins or ends: what happens first at a place was announced.
            const first = new Map<string, PlaceChange>()
            for (const change of happened.sort((a, b) => a.timestamp - b.timestamp)) {
              if (!first.has(change.place)) first.set(change.place, change)
            }
            const outcomes = announced.map(({ place, timestamp }) => `${place} ${timestamp}`)
            expect([...first.values()].map(({ place, timestamp }) => `${place} ${timestamp}`).sort()).toEqual(
              outcomes.sort(),
            )
          }
        }),
      ),
      runs(12, 5),
    )
    expect(followed).toBeGreaterThan(30)
  })

  it('the past changes of a place alternate: new, any number of updated, removed', async () => {
    await fc.assert(
      fc.asyncProperty(anyTimedHistory, (steps) =>
        withWorlds(async (world) => {
          const past = new Map<string, PlaceChange>()
          for (const { feed, seconds } of steps) {
            await world.import(feed)
            await world.advance(seconds)
            for (const change of listChanges(world, PAST)) past.set(JSON.stringify(change), change)
          }
          const byPlace = new Map<string, PlaceChange[]>()
          for (const change of [...past.values()].sort((a, b) => a.timestamp - b.timestamp)) {
            byPlace.set(change.place, [...(byPlace.get(change.place) ?? []), change])
          }
          const live = new Set<string>()
          for (const [place, changes] of byPlace) {
            const types = changes.map(({ type }) => type).join(' ')
            expect(types, place).toMatch(/^new( updated)*( removed( new( updated)*)?)*$/)
            if (changes.at(-1)?.type !== 'removed') live.add(place)
          }
          expect([...live].sort()).toEqual([...listLivePlaces(world)].sort())
        }),
      ),
      runs(12, 6),
    )
  })

  it('an identical option that a second source states changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory(distinctShows), (steps) =>
        withWorlds(async (world) => {
          await world.replay(steps)
          const feed = (steps.at(-1) as Step).feed.filter(({ kind }) => kind !== 'remove')
          const [header, ...records] = feed as [object, ...object[]]
          await world.import(feed)
          const before = listLivePlaces(world)
          const again = await world.import([{ ...header, source: 'three', mode: 'delta' }, ...records])
          expect(again.changes).toEqual({ new: 0, updated: 0, removed: 0 })
          expect(listLivePlaces(world)).toEqual(before)
        }),
      ),
      runs(6, 7),
    )
  })

  it('a place that has two options with an end is removed at the later one, and expiring until then', () =>
    withWorlds(async (world) => {
      const options = [anOption({ expiresOn: NOW + DAY }), anOption({ expiresOn: NOW + 2 * DAY, quality: 'uhd' })]
      await world.import(aSnapshot(aMovie({ id: '1', streamingOptions: { us: options } })))
      const place = 'us 1   netflix subscription '
      const expiring = { type: 'expiring', place, timestamp: NOW + 2 * DAY }
      expect(listChanges(world, FUTURE)).toEqual([expiring])
      await world.advance(DAY)
      expect(listChanges(world, FUTURE)).toEqual([expiring])
      expect(listChanges(world, PAST).at(-1)).toEqual({ type: 'updated', place, timestamp: NOW + DAY })
      await world.advance(DAY)
      expect(listChanges(world, FUTURE)).toEqual([])
      expect(listChanges(world, ['removed'])).toEqual([{ type: 'removed', place, timestamp: NOW + 2 * DAY }])
    }))

  it('an announced option of a live place is not upcoming, and its start is an update', () =>
    withWorlds(async (world) => {
      await world.import(aSnapshot(aMovie({ id: '1' })))
      const options = [anOption(), anOption({ startsOn: NOW + DAY, quality: 'uhd' })]
      await world.import(aDelta(aMovie({ id: '1', streamingOptions: { us: options } })))
      expect(listChanges(world, ['upcoming'])).toEqual([])
      await world.advance(DAY)
      expect(listChanges(world, ['updated']).map(({ timestamp }) => timestamp)).toContain(NOW + DAY)
      expect(listChanges(world, ['new']).map(({ timestamp }) => timestamp)).toEqual([NOW])
    }))
})
