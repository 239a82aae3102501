import { describe, expect, it } from 'vitest'
import { demoFeed } from './demo-feed.ts'
import { demoHistory } from './demo-history.ts'
import type { DemoOptions, FeedRecord, ShowRecord } from './feed-records.ts'

const DAY = 86_400
const options: DemoOptions = { shows: 600, seed: 3, countries: 12, at: 1_760_000_000, baseUrl: 'https://demo.example' }
const history = [...demoHistory(options)].map((feed) => ({ ...feed, records: [...feed.records] }))

function shows(records: readonly FeedRecord[]): ShowRecord[] {
  return records.filter((record): record is ShowRecord => record.kind === 'show')
}

/** A show without what depends on time: `availableSince`, and `expiresSoon` if there is an end. */
function withoutTimes(show: ShowRecord): string {
  return JSON.stringify(show, (_, value) => {
    if (typeof value !== 'object' || value === null || !('availableSince' in value)) return value
    const { availableSince: _since, expiresSoon, ...option } = value
    return 'expiresOn' in option ? option : { ...option, expiresSoon }
  })
}

/** The offers of a show as text, by item, country, service and type. */
function offerCounts(show: ShowRecord): Map<string, string> {
  const found = new Map<string, string>()
  const note = (level: string, item: Pick<ShowRecord, 'streamingOptions'>) => {
    for (const [country, list] of Object.entries(item.streamingOptions)) {
      for (const { link: _, availableSince: __, ...option } of list) {
        const key = `${level}|${country}|${option.service}|${option.type}`
        found.set(key, (found.get(key) ?? '') + JSON.stringify(option))
      }
    }
  }
  note('show', show)
  for (const [s, season] of (show.seasons ?? []).entries()) {
    note(`season ${s + 1}`, season)
    for (const [e, episode] of season.episodes.entries()) note(`episode ${s + 1}.${e + 1}`, episode)
  }
  return found
}

describe('the demo history', () => {
  it('starts with a snapshot of a month ago, followed by deltas up to yesterday', () => {
    expect(history).toHaveLength(7)
    expect(history[0]?.at).toBe(options.at - 31 * DAY)
    expect(history.map((feed) => (feed.records[0] as { mode: string }).mode)).toEqual([
      'snapshot',
      ...Array(6).fill('delta'),
    ])
    const instants = history.map((feed) => feed.at)
    expect(instants).toEqual([...instants].sort((a, b) => a - b))
    expect(instants.at(-1)).toBeLessThan(options.at)
  })

  it('ends in the state of the demo feed', () => {
    const state = new Map<string, string>()
    for (const feed of history) for (const show of shows(feed.records)) state.set(show.id, withoutTimes(show))
    const present = shows([...demoFeed(options)])
    expect(state.size).toBe(present.length)
    expect(present.filter((show) => state.get(show.id) !== withoutTimes(show)).map((show) => show.id)).toEqual([])
    const tops = (records: readonly FeedRecord[]) => records.filter((record) => record.kind === 'top')
    expect(tops(history.at(-1)?.records ?? [])).toEqual(tops([...demoFeed(options)]))
  })

  it('counts the shows of each feed in advance, never too few', () => {
    for (const { maxShows, records } of history) {
      const count = shows(records).length
      expect(count).toBeLessThanOrEqual(maxShows)
      expect(count).toBeGreaterThan(maxShows * 0.5)
    }
  })

  it('can be iterated twice with the same result', () => {
    const [, second] = demoHistory(options)
    expect(JSON.stringify([...(second?.records ?? [])])).toBe(JSON.stringify(history[1]?.records))
    expect(JSON.stringify([...(second?.records ?? [])])).toBe(JSON.stringify(history[1]?.records))
  })

  it('changes about a sixth of the shows', () => {
    const touched = new Set(history.slice(1).flatMap((feed) => shows(feed.records).map((show) => show.id)))
    expect(touched.size / options.shows).toBeGreaterThan(0.1)
    expect(touched.size / options.shows).toBeLessThan(0.3)
  })

  it('adds, changes and removes offers of shows, seasons and episodes in many countries and services', () => {
    const state = new Map<string, Map<string, string>>()
    const seen = new Map<string, Set<string>>()
    const count = (change: string, key: string) => {
      const [level = '', country = '', service = ''] = key.split('|')
      const kind = `${change} ${level.split(' ')[0]}`
      seen.set(kind, (seen.get(kind) ?? new Set()).add(`${country} ${service}`))
    }
    for (const [step, feed] of history.entries()) {
      for (const show of shows(feed.records)) {
        const now = offerCounts(show)
        const before = state.get(show.id) ?? new Map<string, string>()
        state.set(show.id, now)
        if (step === 0) continue
        for (const [key, value] of now)
          if (!before.has(key)) count('new', key)
          else if (before.get(key) !== value) count('updated', key)
        for (const key of before.keys()) if (!now.has(key)) count('removed', key)
      }
    }
    for (const change of ['new', 'updated', 'removed']) {
      for (const level of ['show', 'season', 'episode']) {
        expect(seen.get(`${change} ${level}`)?.size ?? 0, `${change} ${level}`).toBeGreaterThan(5)
      }
    }
  })

  it('has no offer that starts after its feed or ended before it', () => {
    const problems: string[] = []
    for (const { at, records } of history) {
      for (const show of shows(records)) {
        const items = [show, ...(show.seasons ?? []), ...(show.seasons ?? []).flatMap((season) => season.episodes)]
        for (const option of items.flatMap((item) => Object.values(item.streamingOptions).flat())) {
          if (option.availableSince > at || (option.expiresOn ?? Infinity) <= at) problems.push(`${at} ${option.link}`)
        }
      }
    }
    expect(problems).toEqual([])
  })
})
