import { createHash } from 'node:crypto'
import type { ScheduledSource } from './scheduled-source.ts'
import type { SourceState } from './source-state.ts'

const FIRST_RETRY_SECONDS = 60
/** Runs come up to this part of their span later than they might, so that not everybody asks at the full hour. */
const JITTER = 0.1

/**
 * When a source is to run next: its span after the last run, or, while it fails, sooner at first and then less and
 * less often, though never later than its span. The chance in it depends on the last run alone, so everybody who
 * reckons comes to the same instant. A last run later than now was dated by a clock that was wrong: it is due at once.
 */
export function nextRunAt({ name, every }: ScheduledSource, { lastRunAt, failures }: SourceState, now: number): number {
  if (lastRunAt === undefined || lastRunAt > now) return Number.NEGATIVE_INFINITY
  const retry = FIRST_RETRY_SECONDS * 2 ** Math.min(failures - 1, 20)
  const wait = failures === 0 ? every : Math.min(retry, every)
  return lastRunAt + wait + Math.floor(wait * JITTER * chance(`${name} ${lastRunAt}`))
}

/**
 * Whether a source has not succeeded for longer than it should, or nobody knows for how long, since the clock was wrong
 * when it did. One that never ran has not been waited for yet.
 */
export function isStale({ staleAfter }: ScheduledSource, state: SourceState, now: number): boolean {
  const since = state.lastSuccessAt ?? state.firstRunAt
  return since !== undefined && (since > now || now - since > staleAfter)
}

/** A number from 0 to 1 that looks random, and is the same for the same text. */
function chance(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
}
