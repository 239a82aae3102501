import { readFileSync } from 'node:fs'
import { type ProviderMapping, parseProviderMapping } from '../../connectors/providers/provider-directory.ts'
import { UserError } from '../../lib/errors.ts'
import { isCountryCode, normalizeCountryCode } from '../../model/country.ts'
import { isLanguageCode } from '../../model/language.ts'
import { isServiceId } from '../../model/service.ts'
import { isSourceName, SOURCE_NAME_RULE } from '../../model/source-ranks.ts'
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

/** Parses the flags of a sync; one error names everything that is wrong with them. */
export class FlagParser {
  private readonly problems: string[] = []

  /** A comma-separated list of country codes, in lower case. */
  countries(text: string): string[] {
    return this.codes('countries', text, isCountryCode, 'us,gb')
  }

  /** A comma-separated list of language codes. */
  languages(text: string): string[] {
    return this.codes('languages', text, isLanguageCode, 'en,de')
  }

  wholeNumber(flag: string, text: string, min: number, max: number): number {
    try {
      return parseWholeNumber(`--${flag}`, text, min, max)
    } catch (error) {
      this.add((error as UserError).message)
      return min
    }
  }

  /** The name of a source that is also that of a folder. */
  source(text: string): string {
    if (!isServiceId(text)) this.add(`--source is "${text}"; it must be letters, digits, "-" and "_"`)
    return text
  }

  /** A list of words, each one of a few. */
  words<T extends string>(flag: string, text: string, choices: readonly T[]): T[] {
    const words = text.split(',').map((word) => word.trim())
    const unknown = words.find((word) => !choices.includes(word as T))
    if (unknown !== undefined) this.add(`--${flag} has "${unknown}"; it takes ${choices.join(', ')}`)
    return words as T[]
  }

  /** The mapping of providers in a file. */
  providers(path: string | undefined): ProviderMapping {
    if (path === undefined) return new Map()
    try {
      return parseProviderMapping(JSON.parse(readFileSync(path, 'utf8')))
    } catch (error) {
      this.add(`--providers: ${path} cannot be used: ${(error as Error).message}`)
      return new Map()
    }
  }

  add(problem: string): void {
    this.problems.push(problem)
  }

  /** Throws if there was any problem. */
  assertValid(): void {
    if (this.problems.length > 0) throw new UserError(this.problems.join('\n'))
  }

  private codes(flag: string, text: string, isCode: (code: string) => boolean, example: string): string[] {
    const codes = [...new Set(text.split(',').map((code) => normalizeCountryCode(code.trim())))]
    if (!codes.every(isCode)) this.add(`--${flag} is "${text}"; it must be codes such as ${example}`)
    return codes
  }
}
