import { readdirSync, readFileSync } from 'node:fs'
import type { Show, StreamingOption, StreamingOptionType } from '../../src/index.ts'

const FOLDER = new URL('../../../spec/cases/', import.meta.url)

/** What the server does with a request; `spec/cases/README.md` describes it. */
export type Answer =
  | { readonly fault: 'reset' | 'stall' | 'cut' | 'stall-body' }
  | {
      readonly fault?: undefined
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly json?: unknown
      readonly text?: string
    }

/** One call, the requests that it makes, and what comes out. */
export interface Case {
  readonly name: string
  readonly client?: {
    readonly apiKey?: string
    readonly baseUrl?: string
    readonly marketplaceBaseUrl?: string
    readonly keyPrefix?: string
    readonly marketplace?: string
    readonly retries?: number
    readonly timeoutMs?: number
    readonly cache?: boolean
  }
  readonly call: {
    readonly method: string
    readonly parameters?: Readonly<Record<string, unknown>>
    readonly limits?: { readonly pages?: number; readonly items?: number }
    readonly page?: boolean
    readonly repeat?: number
  }
  readonly exchanges: readonly {
    readonly request: {
      readonly path: string
      readonly query?: Readonly<Record<string, string>>
      readonly headers?: Readonly<Record<string, string | null>>
    }
    readonly answer: Answer
  }[]
  readonly expect: {
    readonly result?: unknown
    readonly items?: readonly unknown[]
    readonly error?: { readonly kind: string; readonly [key: string]: unknown }
    readonly quota?: unknown
    readonly waits?: readonly (readonly [least: number, greatest: number])[]
  }
}

/** A helper's arguments, and what it returns. */
export interface HelperCase {
  readonly name: string
  readonly show: Show
  readonly offer: StreamingOption
  readonly arguments: {
    readonly country: string
    readonly subscriptions?: readonly string[]
    readonly days?: number
    readonly now: number
    readonly season: number
    readonly episode: number
    readonly service?: string
    readonly type?: StreamingOptionType
  }
  readonly expect: unknown
}

/** The files of cases that are calls. */
export function callCases(): { file: string; about: string; cases: Case[] }[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ file, ...readCaseFile<Case>(file) }))
}

/** The cases of a helper. */
export function helperCases(name: string): { about: string; cases: HelperCase[] } {
  return readCaseFile(`helpers/${name}.json`)
}

function readCaseFile<T>(file: string): { about: string; cases: T[] } {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
}
