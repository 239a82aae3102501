import type { ShowType } from './show.ts'

/** A service's official list of shows in a country, in rank order, by show id. */
export interface TopList {
  readonly country: string
  readonly service: string
  readonly showType: ShowType
  readonly shows: readonly string[]
}
