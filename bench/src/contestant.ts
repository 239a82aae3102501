import type { Ask } from './ask.ts'
import type { Manner } from './prepare.ts'
import type { HttpRequest } from './support/http.ts'

/** What a page of a contestant's answer says, in a form that can be compared. */
export interface Page {
  /** Ids of the shows on the page, in order. */
  readonly ids: readonly string[]
  readonly nextCursor?: string
}

/** A server that is asked the questions: Marquee, or one of its peers. */
export interface Contestant {
  readonly name: string
  readonly port: number
  /** Processes that serve, for pinning and for reckoning memory; the ones they start belong to them. */
  readonly pids: readonly number[]
  /** Whether it takes part in questions of that kind, put in that manner. */
  answers(kind: Ask['kind'], manner: Manner): boolean
  /** The request for an ask; the cursor is one that this contestant gave out. */
  request(ask: Ask, cursor?: string): HttpRequest
  page(body: Buffer): Page
  stop(): Promise<void>
}

/** Reads a page out of an answer in Marquee's shape, whichever endpoint it comes from. */
export function readPage(body: Buffer): Page {
  const answer = JSON.parse(body.toString()) as Answer | Item[]
  if (Array.isArray(answer)) return { ids: answer.map(idOf) }
  const items = answer.changes ?? answer.shows
  const ids = items === undefined ? [idOf(answer)] : items.map(idOf)
  return answer.nextCursor === undefined ? { ids } : { ids, nextCursor: answer.nextCursor }
}

interface Item {
  readonly id?: string
  readonly showId?: string
  readonly countryCode?: string
}

interface Answer extends Item {
  readonly changes?: Item[]
  readonly shows?: Item[]
  readonly nextCursor?: string
}

function idOf(item: Item): string {
  return item.showId ?? item.id ?? item.countryCode ?? ''
}
