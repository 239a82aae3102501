/**
 * The parameters of property tests. In the suite every property has a fixed seed and a number of runs that fits the time
 * of a suite. A long run takes other ones:
 *
 *   MARQUEE_TEST_SEED=random MARQUEE_TEST_RUNS=50 npx vitest run --project local server/test/feeds/laws.test.ts
 *
 * `MARQUEE_TEST_SEED` is `random` or a whole number. The number is printed; set it to repeat a run.
 * `MARQUEE_TEST_RUNS` multiplies the number of runs, and lifts time limits.
 */
const { MARQUEE_TEST_SEED: givenSeed = '0', MARQUEE_TEST_RUNS: givenRuns = '1' } = process.env

/** Added to the fixed seed of every property; 0 in the suite. */
export const seedOffset = givenSeed === 'random' ? Math.floor(Math.random() * 1_000_000_000) : Number(givenSeed)
/** Multiplies the number of runs; 1 in the suite. */
export const runFactor = Number(givenRuns)

if (!Number.isSafeInteger(seedOffset) || !Number.isSafeInteger(runFactor) || runFactor < 1) {
  throw new Error('MARQUEE_TEST_SEED must be "random" or a whole number, MARQUEE_TEST_RUNS a whole number from 1 up')
}
if (seedOffset !== 0 || runFactor !== 1) {
  console.log(`property runs: MARQUEE_TEST_SEED=${seedOffset} MARQUEE_TEST_RUNS=${runFactor}`)
}

/** Parameters for `fc.assert`. Without a long run, a failing case is shrunk until the time limit. */
export function propertyRuns(
  numRuns: number,
  seed: number,
  maxMs?: number,
): { numRuns: number; seed: number; interruptAfterTimeLimit?: number } {
  return {
    numRuns: numRuns * runFactor,
    seed: seed + seedOffset,
    ...(maxMs !== undefined && runFactor === 1 && { interruptAfterTimeLimit: maxMs }),
  }
}
