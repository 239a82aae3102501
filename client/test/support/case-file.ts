import { readdirSync, readFileSync } from 'node:fs'

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

/** The files of cases whose cases are calls, by name. */
export function callCases(): { file: string; about: string; cases: Case[] }[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json') && file !== 'helpers.json')
    .map((file) => ({ file, ...readCaseFile(file) }))
}

/** One file of cases. */
export function readCaseFile<T = Case>(file: string): { about: string; cases: T[] } {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
}
