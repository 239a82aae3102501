/**
 * Latencies counted in steps that grow by half an octave, from 50 µs to about a minute: as exact at a millisecond as at
 * a second, and small enough to be kept for every hour.
 */
export type LatencyCounts = Readonly<Record<number, number>>

const SMALLEST_MS = 0.05
const STEPS_PER_OCTAVE = 2
const LAST_STEP = 41

/** The step that a latency falls into. */
export function latencyStep(ms: number): number {
  if (ms <= SMALLEST_MS) return 0
  return Math.min(LAST_STEP, Math.ceil(Math.log2(ms / SMALLEST_MS) * STEPS_PER_OCTAVE))
}

/** How many steps there are. */
export const LATENCY_STEPS = LAST_STEP + 1

/** The longest latency, in milliseconds, that falls into a step. */
export function stepLimit(step: number): number {
  return SMALLEST_MS * 2 ** (step / STEPS_PER_OCTAVE)
}

/** The latency, in milliseconds, that the given part of all requests stayed within; undefined where there were none. */
export function percentile(counts: LatencyCounts, part: number): number | undefined {
  const steps = Object.keys(counts)
    .map(Number)
    .sort((a, b) => a - b)
  const total = steps.reduce((sum, step) => sum + (counts[step] as number), 0)
  let left = total * part
  for (const step of steps) {
    const count = counts[step] as number
    if (left <= count) return rounded(within(step, left / count))
    left -= count
  }
  const last = steps.at(-1)
  return last === undefined ? undefined : rounded(stepLimit(last))
}

/** A latency inside a step, as far into it as the given part. */
function within(step: number, part: number): number {
  const from = step === 0 ? SMALLEST_MS / 2 : stepLimit(step - 1)
  return from * (stepLimit(step) / from) ** part
}

function rounded(ms: number): number {
  return Number(ms.toPrecision(3))
}
