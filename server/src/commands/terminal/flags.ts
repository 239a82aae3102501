import { UserError } from '../../lib/user-error.ts'
import { isSourceName, SOURCE_NAME_RULE } from '../../model/source.ts'
import { SECONDS_PER_DAY, startOfDay } from '../../model/time.ts'

/** The flag that every command has: print JSON for programs instead of text for people. */
export interface JsonFlag {
  readonly json?: boolean
}

/** Parses a flag that takes one of a few words. */
export function parseChoice<T extends string>(flag: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((one) => one === text)
  if (choice !== undefined) return choice
  throw new UserError(`${flag} is "${text}"; it must be one of ${choices.join(', ')}`)
}

/** Parses a flag that takes a whole number. */
export function parseWholeNumber(flag: string, text: string, min: number, max: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw new UserError(`${flag} is "${text}"; it must be a whole number from ${min} to ${max}`)
}

/** Parses `--source`: the name of the source that a feed belongs to. */
export function parseSourceName(text: string): string {
  if (isSourceName(text)) return text
  throw new UserError(`--source is ${JSON.stringify(text.slice(0, 40))}; it must be ${SOURCE_NAME_RULE}`)
}

/** Parses `--mode`: whether a feed replaces all records of its source or only what it names. */
export function parseMode(text: string): 'snapshot' | 'delta' {
  if (text === 'snapshot' || text === 'delta') return text
  throw new UserError(`--mode is "${text}"; it must be snapshot or delta`)
}

/** Parses `--base-url`: the address of the service that a feed's links lead to. */
export function parseBaseUrl(text: string): string {
  if (URL.canParse(text) && /^https?:/i.test(text)) return text.replace(/\/+$/, '')
  throw new UserError(`--base-url is "${text}"; it must be an address such as https://marquee.example`)
}

/** Parses `--as-of`: a day before today, or a time of it. */
export function parseAsOf(text: string, now: number, keptDays: number): number {
  const isDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
  const instant = isDate ? Math.floor(Date.parse(text) / 1000) : Number.NaN
  const today = startOfDay(now)
  if (!(instant >= 0 && instant < today)) {
    throw new UserError(
      `--as-of is "${text}"; it must be a day before today such as 2026-01-31, or 2026-01-31T12:00:00Z`,
    )
  }
  if (instant >= today - keptDays * SECONDS_PER_DAY) return instant
  throw new UserError(
    `--as-of is "${text}"; MARQUEE_HISTORY_DAYS keeps ${keptDays} days, and that day lies before them`,
  )
}

/** Parses `--at`: a date, or Unix seconds. */
export function parseInstant(text: string): number {
  const instant = /^\d+$/.test(text) ? Number(text) : Math.floor(Date.parse(text) / 1000)
  if (Number.isSafeInteger(instant)) return instant
  throw new UserError(`--at is "${text}"; it must be a date such as 2026-01-31, or Unix seconds`)
}
