import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { importFeed } from '../../src/ingest/import-feed.ts'
import { DEFAULT_RETENTION_DAYS, WindowScheduler } from '../../src/ingest/window-scheduler.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { aMovie, anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { changesIn, checkCatalog } from '../support/check-catalog.ts'
import { feedFromRecords } from '../support/feed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const DAYS = 120
const SHOWS = 150
/** The share of shows that change on a day. */
const CHURN = 0.03

type Json = Record<string, unknown>

/** A number from 0 up to 1 that depends on two others and on nothing else. */
function noise(a: number, b: number): number {
  let state = (a * 374_761_393 + b * 668_265_263) >>> 0
  state = Math.imul(state ^ (state >>> 13), 1_274_126_177) >>> 0
  return ((state ^ (state >>> 16)) >>> 0) / 2 ** 32
}

/** How often a show has changed up to a day. */
function revisionOf(index: number, day: number): number {
  let revision = 0
  for (let one = 1; one <= day; one++) if (noise(index, one) < CHURN) revision++
  return revision
}

/** A show on a day: with each revision options come, go, change, are announced or get an end. */
function showOn(index: number, day: number): Json {
  const revision = revisionOf(index, day)
  const option = (fields: Json) => anOption({ availableSince: NOW, ...fields })
  const link = `https://netflix.test/${index}/${revision}`
  const options = [
    option({ link }),
    ...(revision % 2 === 1 ? [option({ service: 'prime', type: 'free', link: 'https://prime.test/free' })] : []),
    ...(revision % 3 === 1
      ? [option({ service: 'tubi', type: 'free', link, expiresOn: NOW + (day + 4) * DAY + 60 })]
      : []),
    ...(revision % 3 === 2 ? [option({ service: 'mubi', link, startsOn: NOW + (day + 3) * DAY + 60 })] : []),
  ]
  const imageSet = { verticalPoster: {}, horizontalPoster: {} }
  const fields = { id: String(index + 1), imageSet, title: `Show ${index}`, overview: `Revision ${revision % 5}` }
  if (index % 10 !== 0) return aMovie({ ...fields, streamingOptions: { us: options } })
  return aSeries({ ...fields, streamingOptions: { us: options } })
}

describe('a catalog that is fed a snapshot every day', () => {
  it(`deletes old changes and stops growing (${DAYS} days)`, async () => {
    const folder = temporaryFolder()
    const ledger = new LocalLedger(folder)
    onTestFinished(() => ledger.close())
    let now = NOW
    const keeper = new WindowScheduler(ledger, () => now)
    const sizes: number[] = []
    const changes: number[] = []
    const oldest: number[] = []
    // A show restates its own windows as they were announced, so each day's feed is that of its last revision.
    const current: { revision: number; record: Json }[] = []
    for (let day = 0; day <= DAYS; day++) {
      now = NOW + day * DAY
      await keeper.applyDueWindows()
      for (let i = 0; i < SHOWS; i++) {
        const revision = revisionOf(i, day)
        if (current[i]?.revision !== revision) current[i] = { revision, record: showOn(i, day) }
      }
      const report = await importFeed(feedFromRecords(aSnapshot(...current.map(({ record }) => record))), ledger, {
        clock: () => now,
      })
      expect(report.refused, `day ${day}`).toBeUndefined()
      expect(report.altered, `day ${day}`).toBeLessThan(SHOWS * 0.15)

      const instants = changesIn(ledger.catalog).map(({ timestamp }) => timestamp)
      changes.push(instants.length)
      oldest.push(instants.reduce((a, b) => Math.min(a, b), now))
      sizes.push(statSync(join(folder, 'catalog', 'data.mdb')).size)
      // No change is older than the retention and a day.
      expect(oldest[day], `day ${day}`).toBeGreaterThanOrEqual(now - (DEFAULT_RETENTION_DAYS + 1) * DAY)
    }
    // The changes of the first days are deleted, and those within the retention are not.
    expect(oldest[DEFAULT_RETENTION_DAYS - 1]).toBe(NOW)
    expect(oldest[DAYS]).toBeLessThan(now - (DEFAULT_RETENTION_DAYS - 3) * DAY)
    expect(changes[DAYS]).toBeGreaterThan(200)
    const [early, late] = [changes[90] as number, changes[DAYS] as number]
    expect(late / early).toBeGreaterThan(0.7)
    expect(late / early).toBeLessThan(1.3)
    expect((sizes[DAYS] as number) / (sizes[90] as number)).toBeLessThanOrEqual(1.03)
    expect(checkCatalog(ledger.catalog)).toEqual([])
  })

  it('keeps changes for the configured number of days', async () => {
    const ledger = new LocalLedger(temporaryFolder())
    onTestFinished(() => ledger.close())
    let now = NOW
    const keeper = new WindowScheduler(ledger, () => now, { retentionDays: 40 })
    await importFeed(feedFromRecords(aSnapshot(aMovie({ id: '1' }))), ledger, { clock: () => now })
    const count = () => changesIn(ledger.catalog).length
    for (const [day, expected] of [
      [39, 1],
      [40, 1],
      [41, 0],
    ] as const) {
      now = NOW + day * DAY
      await keeper.applyDueWindows()
      expect(count(), `day ${day}`).toBe(expected)
    }
  })
})
