import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFeed } from '../../src/ingest/import-feed.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { aMovie, anOption, aSeries, aSnapshot, NOW } from '../support/builders.ts'
import { feedFromRecords } from '../support/feed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const READERS = 4
const ROUNDS = 20
const MORE_ROUNDS = 10
const SHOWS = 32
const VISIBLE_WITHIN_MS = 1_000

type Json = Record<string, unknown>

/** A message of a reader: a round that it sees for the first time, or an inconsistency. */
type Message = { round: number; version: number; asked: number; at: number } | { problem: string }

/** The shows of the group as of a round, whose number stands in every text and link of theirs. */
function groupOf(round: number): Json[] {
  const option = (path: string) => anOption({ link: `https://netflix.test/round/${round}/${path}` })
  return Array.from({ length: SHOWS }, (_, i) => {
    const fields = {
      id: String(i + 1),
      title: `Group ${i}`,
      originalTitle: `Group ${i}`,
      overview: `This is round ${round}`,
      rating: 50 + (i % 7),
      popularity: { us: { '1week': (i * 5) % 11 } },
      // A second option comes and goes, so that records grow and shrink.
      streamingOptions: { us: [option(`${i}`), ...(round % 2 === 0 ? [option(`${i}/hd`)] : [])] },
    }
    if (i % 3 !== 0) return aMovie(fields)
    const seasons = [1, 2].map((season) => ({
      title: `Season ${season}`,
      firstAirYear: 2001,
      lastAirYear: 2001,
      streamingOptions: { us: [option(`${i}/${season}`)] },
      episodes: [1, 2, 3].map((episode) => ({
        title: `Episode ${episode}`,
        overview: `round=${round}`,
        airYear: 2001,
        streamingOptions: { us: [option(`${i}/${season}/${episode}`)] },
      })),
    }))
    return aSeries({ ...fields, seasons })
  })
}

describe('processes that read while feeds are imported', () => {
  const folder = temporaryFolder(afterAll)
  const readers: ChildProcess[] = []
  const problems: string[] = []
  /** By reader, the rounds that it saw, in the order in which it saw them. */
  const seen: { round: number; version: number; asked: number; at: number }[][] = []
  let ledger: LocalLedger
  let heard: () => void = () => {}

  const take = (round: number) =>
    importFeed(feedFromRecords(aSnapshot(...groupOf(round))), ledger, { clock: () => NOW + round })

  /** Waits until every reader has seen a round; fails after five minutes. */
  async function everybodySees(round: number): Promise<void> {
    const deadline = Date.now() + 300_000
    while (!seen.every((rounds) => rounds.some((one) => one.round >= round))) {
      if (Date.now() > deadline) throw new Error(`Round ${round} was not seen by every reader; ${problems.join('; ')}`)
      await Promise.race([
        new Promise<void>((resolve) => {
          heard = resolve
        }),
        new Promise((resolve) => setTimeout(resolve, 50)),
      ])
    }
  }

  beforeAll(async () => {
    ledger = new LocalLedger(folder)
    expect((await take(0)).noticeList).toEqual([])
    const ids = Array.from({ length: SHOWS }, (_, i) => i + 1).join()
    const program = fileURLToPath(new URL('../support/reading-child.mjs', import.meta.url))
    for (let i = 0; i < READERS; i++) {
      const child = fork(program, [folder, String(NOW), ids])
      const rounds: (typeof seen)[number] = []
      seen.push(rounds)
      child.on('message', (message: Message) => {
        if ('problem' in message) problems.push(`reader ${i}: ${message.problem}`)
        else rounds.push(message)
        heard()
      })
      child.once('exit', (code) => code !== null && problems.push(`reader ${i} ended with ${code}`))
      readers.push(child)
    }
    await everybodySees(0)
  })
  afterAll(async () => {
    for (const child of readers) {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    await ledger.close()
  })

  it('see each feed completely or not at all, never an older state again, and see it within a second', async () => {
    const committed = new Map<number, { version: number; at: number }>()
    for (let round = 1; round <= ROUNDS; round++) {
      const { version, notices } = await take(round)
      committed.set(round, { version, at: Date.now() })
      expect(notices).toEqual({})
      await everybodySees(round)
    }
    expect(problems).toEqual([])
    for (const rounds of seen) {
      expect(rounds.map(({ round }) => round)).toEqual(Array.from({ length: ROUNDS + 1 }, (_, round) => round))
      for (const { round, version, at } of rounds.slice(1)) {
        const commit = committed.get(round) as { version: number; at: number }
        expect(version, `round ${round}`).toBe(commit.version)
        expect(at - commit.at, `round ${round} took so many milliseconds`).toBeLessThan(VISIBLE_WITHIN_MS)
      }
    }
  })

  it('see consistent responses while feeds follow each other without a pause', async () => {
    const before = seen.map((rounds) => rounds.at(-1)?.asked ?? 0)
    for (let round = ROUNDS + 1; round <= ROUNDS + MORE_ROUNDS; round++) {
      await take(round)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await everybodySees(ROUNDS + MORE_ROUNDS)
    expect(problems).toEqual([])
    seen.forEach((rounds, i) => {
      expect(rounds.map(({ round }) => round)).toEqual([...rounds.map(({ round }) => round)].sort((a, b) => a - b))
      expect((rounds.at(-1)?.asked ?? 0) - (before[i] as number)).toBeGreaterThan(10)
    })
  })
})
