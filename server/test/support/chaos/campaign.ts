import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aMovie, anOption, aSnapshot } from '../builders.ts'
import { feedBytes } from '../feed.ts'

/** The result of one fault. */
export interface ChaosOutcome {
  /** What was done, and when. */
  readonly fault: string
  /** The row of the table that it is counted in. */
  readonly kind: string
  /** Whether the fault came too late to prove anything. */
  readonly missed?: boolean
  /** What was wrong afterwards; empty if all went well. */
  readonly problems: readonly string[]
  /** How long recovery took. */
  readonly ms?: number
}

export interface CampaignOptions {
  /** An empty folder. */
  readonly folder: string
  readonly tries: number
  readonly seed: number
  readonly onOutcome?: (outcome: ChaosOutcome, done: number) => void
}

/** A seeded series of faults. Needs the built program. */
export type Campaign = (options: CampaignOptions) => Promise<ChaosOutcome[]>

/** A generator of pseudo-random numbers from 0 up to 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The value that a part of all values is below. */
export function percentile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(part * values.length)] ?? Number.NaN
}

/** Repeats a fault, and collects the outcomes. */
export async function repeatFault(
  { tries, seed, onOutcome }: CampaignOptions,
  inject: (random: () => number, number: number) => Promise<ChaosOutcome>,
): Promise<ChaosOutcome[]> {
  const random = seededRandom(seed)
  const outcomes: ChaosOutcome[] = []
  for (let number = 0; number < tries; number++) {
    const outcome = await inject(random, number)
    outcomes.push(outcome)
    onOutcome?.(outcome, outcomes.length)
  }
  return outcomes
}

/** Writes a snapshot in which every show carries its generation; returns the path. */
export function writeGeneration(folder: string, count: number, generation: number): string {
  const path = join(folder, `generation-${generation}.ndjson`)
  const shows = Array.from({ length: count }, (_, i) =>
    aMovie({
      id: String(i + 1),
      title: `Show ${i + 1}`,
      overview: `generation ${generation}`,
      streamingOptions: { us: [anOption({ link: `https://example.test/${i + 1}?generation=${generation}` })] },
    }),
  )
  writeFileSync(path, feedBytes(aSnapshot(...shows)))
  return path
}
