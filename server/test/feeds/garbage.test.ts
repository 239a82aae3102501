/*
 * Damaged feeds: random edits of the bytes of a feed, one seed a variant. The seeds are fixed; for a long run with random,
 * printed ones set MARQUEE_TEST_SEED=random and MARQUEE_TEST_RUNS=50 (support/property-runs.ts).
 */
import { isUtf8 } from 'node:buffer'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFeed } from '../../src/ingest/import-feed.ts'
import type { ImportReport } from '../../src/ingest/import-report.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { SHOW_TYPES, type ShowType } from '../../src/model/show.ts'
import { aMovie, anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { changesIn, checkCatalog } from '../support/check-catalog.ts'
import { feedBytes, feedFromBytes } from '../support/feed.ts'
import { ODD_VALUES, pathsIn, replaceAt, seededNumbers } from '../support/odd-structures.ts'
import { runFactor, seedOffset } from '../support/property-runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const VARIANTS = 200 * runFactor
const NEWLINE = 0x0a
const KINDS = ['feed', 'genre', 'service', 'country', 'show', 'top', 'remove', 'change']

/** Most of a show's bytes are addresses of images, in which damage shows nothing. */
const imageSet = { verticalPoster: { w240: 'https://images.test/a.jpg' }, horizontalPoster: {} }

/** Twenty shows with all that a feed can say of them, and a list. */
const records = aSnapshot(
  ...Array.from({ length: 16 }, (_, i) =>
    aMovie({
      id: String(i + 1),
      imageSet,
      title: `Die Straße ${i}: 千と千尋`,
      streamingOptions: {
        us: [
          anOption({ expiresOn: NOW + (10 + i) * DAY }),
          anOption({ service: 'prime', type: 'rent', price: { amount: '2.99', currency: 'USD' } }),
        ],
        gb: [
          anOption({
            service: 'prime',
            type: 'addon',
            addon: undefined,
            ...(i % 2 === 0 ? { type: 'free' } : { addon: 'starz' }),
          }),
        ],
      },
      popularity: { us: { alltime: i } },
      translations: { fr: { title: `La rue ${i}`, overview: 'Une rue.' } },
    }),
  ),
  ...Array.from({ length: 4 }, (_, i) => aSeries({ id: String(20 + i), imageSet })),
  { kind: 'top', country: 'us', service: 'netflix', showType: 'movie', shows: ['3', 'tt0000002', 'movie/1'] },
)
const [header, ...rest] = records
const whole = feedBytes([{ ...header, count: rest.length }, ...rest])

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  if (start < bytes.length) lines.push(bytes.subarray(start))
  return lines
}

const joined = (lines: readonly Buffer[]) => Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]))

/** Ways of damage, each made of the feed's bytes and a source of numbers. */
const DAMAGES: Record<string, (bytes: Buffer, random: (below: number) => number) => Buffer> = {
  'a byte is another one': (bytes, random) => {
    const copy = Buffer.from(bytes)
    copy[random(copy.length)] = random(256)
    return copy
  },
  'a byte of the first line is another one': (bytes, random) => {
    const copy = Buffer.from(bytes)
    copy[random(copy.indexOf(NEWLINE) + 1)] = random(256)
    return copy
  },
  'a bit is flipped': (bytes, random) => {
    const copy = Buffer.from(bytes)
    const at = random(copy.length)
    copy[at] = (copy[at] as number) ^ (1 << random(8))
    return copy
  },
  'a line is cut': (bytes, random) => {
    const lines = linesOf(bytes)
    const at = random(lines.length)
    const line = lines[at] as Buffer
    lines[at] = line.subarray(0, random(line.length + 1))
    return joined(lines)
  },
  'two lines are swapped': (bytes, random) => {
    const lines = linesOf(bytes)
    const [a, b] = [random(lines.length), random(lines.length)]
    const kept = lines[a] as Buffer
    lines[a] = lines[b] as Buffer
    lines[b] = kept
    return joined(lines)
  },
  'a line is repeated': (bytes, random) => {
    const lines = linesOf(bytes)
    lines.splice(random(lines.length), 0, lines[random(lines.length)] as Buffer)
    return joined(lines)
  },
  'a line is gone': (bytes, random) => {
    const lines = linesOf(bytes)
    lines.splice(random(lines.length), 1)
    return joined(lines)
  },
  'some bytes are gone': (bytes, random) => {
    const at = random(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(200))])
  },
  'the end is gone': (bytes, random) => bytes.subarray(0, random(bytes.length)),
  'bytes of another feed stand within': (bytes, random) => {
    const [at, from] = [random(bytes.length), random(bytes.length)]
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(from, from + random(300)), bytes.subarray(at)])
  },
}

/** One to three damages, drawn by a number. */
function damaged(seed: number): { bytes: Buffer; how: string } {
  const random = seededNumbers(seed)
  const names = Object.keys(DAMAGES)
  const drawn = Array.from({ length: 1 + random(3) }, () => names[random(names.length)] as string)
  const bytes = drawn.reduce((bytes, name) => (bytes.length === 0 ? bytes : DAMAGES[name]!(bytes, random)), whole)
  return { bytes, how: drawn.join(', ') }
}

/** Lines that no reader could take as a record, by number, found without the service's own code. */
function unusableLines(bytes: Buffer): number[] {
  return linesOf(bytes).flatMap((line, i) => {
    if (line.toString('utf8').trim() === '') return []
    return isUsable(line) ? [] : [i + 1]
  })
}

function isUsable(line: Buffer): boolean {
  if (!isUtf8(line)) return false
  let value: unknown
  try {
    value = JSON.parse(line.toString('utf8').trim())
  } catch {
    return false
  }
  if (Array.isArray(value)) return value.every((one) => isUsable(Buffer.from(JSON.stringify(one))))
  if (typeof value !== 'object' || value === null) return false
  const { kind, showType, title } = value as Record<string, unknown>
  if (kind === 'show' || (kind === undefined && showType !== undefined)) {
    return SHOW_TYPES.includes(showType as ShowType) && typeof title === 'string'
  }
  return KINDS.includes(kind as string)
}

describe('a damaged feed over the catalog of the undamaged one', () => {
  const base = temporaryFolder(afterAll)

  beforeAll(async () => {
    const ledger = new LocalLedger(base)
    const report = await importFeed(feedFromBytes(whole), ledger, { clock: () => NOW - DAY })
    expect(report).toMatchObject({ created: 20, notices: {}, complete: true })
    await ledger.close()
  })

  /** A copy of the catalog after the undamaged feed. */
  let copy: { ledger: LocalLedger; remove: () => void } | undefined

  async function discardCopy(): Promise<void> {
    await copy?.ledger.close()
    copy?.remove()
    copy = undefined
  }
  afterAll(discardCopy)

  function freshCopy(): { ledger: LocalLedger; remove: () => void } {
    let remove = () => {}
    const folder = temporaryFolder((removal) => {
      remove = removal
    })
    cpSync(join(base, 'catalog', 'data.mdb'), join(folder, 'catalog', 'data.mdb'))
    return { ledger: new LocalLedger(folder), remove }
  }

  /** Imports a variant into a copy of the catalog and checks the result. */
  async function importOver(bytes: Buffer, look: (ledger: LocalLedger, report: ImportReport) => void): Promise<void> {
    copy ??= freshCopy()
    const { ledger } = copy
    try {
      look(ledger, await importFeed(feedFromBytes(bytes), ledger, { clock: () => NOW }))
    } finally {
      // An unchanged copy is reused for the next variant.
      if (ledger.catalog.version() !== 1) await discardCopy()
    }
  }

  it('changes nothing while it is undamaged', () =>
    importOver(whole, (ledger, report) => {
      expect(report).toMatchObject({ altered: 0, created: 0, complete: true, version: 1 })
      expect(checkCatalog(ledger.catalog)).toEqual([])
    }))

  const seen = { whole: 0, removing: 0, incomplete: 0, refused: 0, rejectedLines: 0 }

  it(`is imported without a crash, notes each line that it rejects, and removes nothing (${VARIANTS} variants)`, async () => {
    for (let seed = 1; seed <= VARIANTS; seed++) {
      const { bytes, how } = damaged(seed + seedOffset)
      const about = `variant ${seed + seedOffset}: ${how}`
      await importOver(bytes, (ledger, report) => {
        const { complete, changes, refused, notices, noticeList } = report
        const noted = new Set(noticeList.flatMap(({ line, severity }) => (severity === 'error' ? [line] : [])))
        const unusable = unusableLines(bytes)
        // A header that cannot be used ends the reading.
        const read = refused?.reason === 'invalid_header' ? [] : unusable
        expect(
          read.filter((line) => !noted.has(line)),
          about,
        ).toEqual([])
        if (unusable.length > 0) expect(complete, about).toBe(false)

        const removed = changesIn(ledger.catalog).filter(({ change }) => change.changeType === 'removed').length
        if (!complete || refused !== undefined) {
          expect(removed, about).toBe(0)
          expect(ledger.catalog.counts().offersBySource.test, about).toBeGreaterThanOrEqual(76)
        }
        if (!complete && refused === undefined) expect(changes.removed, about).toBe(0)
        if (!complete && refused === undefined) expect(notices.removals_withheld, about).toBe(1)
        if (seed % 10 === 0) expect(checkCatalog(ledger.catalog), about).toEqual([])
        if (refused !== undefined) seen.refused++
        else if (complete) seen.whole++
        else seen.incomplete++
        if (removed > 0) seen.removing++
        seen.rejectedLines += unusable.length
      })
    }
  })

  it('was tried in every way', () => {
    expect(seen.incomplete).toBeGreaterThan(80)
    expect(seen.whole).toBeGreaterThan(20)
    // A flipped letter in a name is no damage that could be seen: removals are possible, and looked for.
    expect(seen.removing).toBeGreaterThan(0)
    expect(seen.refused).toBeGreaterThan(0)
    expect(seen.rejectedLines).toBeGreaterThan(80)
  })
})

describe('a feed with a value of another structure', () => {
  it('is imported without an exception, and the catalog is consistent', async () => {
    const ledger = new LocalLedger(temporaryFolder())
    const random = seededNumbers(3 + seedOffset)
    for (let variant = 0; variant < 3 * ODD_VALUES.length * runFactor; variant++) {
      const at = 1 + random(records.length - 1)
      const record = records[at] as object
      const paths = pathsIn(record).slice(1)
      const path = paths[random(paths.length)] as readonly string[]
      const value = ODD_VALUES[variant % ODD_VALUES.length] as string
      const lines = records.map((one, i) => (i === at ? replaceAt(one, path, value) : JSON.stringify(one)))
      const bytes = Buffer.from(`${lines.join('\n')}\n`)
      const what = `${path.join('.')} of record ${at} is ${value.slice(0, 40)}`
      const report = await importFeed(feedFromBytes(bytes), ledger, { clock: () => NOW, force: true })
      expect(report.shows, what).toBeGreaterThanOrEqual(19)
      if (variant % 40 === 0) expect(checkCatalog(ledger.catalog), what).toEqual([])
    }
    expect(checkCatalog(ledger.catalog)).toEqual([])
    await ledger.close()
  })
})
