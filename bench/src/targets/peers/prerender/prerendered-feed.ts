import { type FeedShow, isShowLine, readFeedLines } from '../../../data/feed.ts'
import { type FeedChange, futureChanges, type PrerenderedChange, prerenderChange } from './prerendered-change.ts'
import { type PrerenderedShow, prerenderShow } from './prerendered-show.ts'
import type { Reference } from './reference.ts'

/** A record to load into a peer. */
export type PrerenderedRecord =
  | { readonly kind: 'show'; readonly show: PrerenderedShow; readonly changes: readonly PrerenderedChange[] }
  | { readonly kind: 'change'; readonly change: PrerenderedChange }

/** Reads an exported feed and prerenders its shows and changes. */
export async function* prerenderFeed(
  feed: string,
  reference: Reference,
  now: number,
): AsyncGenerator<PrerenderedRecord> {
  const upcomingServices = new Set<string>()
  for await (const line of readFeedLines(feed)) {
    if (isShowLine(line)) {
      const show = JSON.parse(line) as FeedShow
      const changes = [...futureChanges(show, upcomingServices)].map((change) => prerenderChange(change, reference))
      yield { kind: 'show', show: prerenderShow(show, reference, now), changes }
    } else if (line.startsWith('{"kind":"change"')) {
      yield { kind: 'change', change: prerenderChange(JSON.parse(line) as FeedChange, reference) }
    } else if (line.startsWith('{"kind":"service"')) {
      const service = JSON.parse(line) as { id: string; hasUpcoming?: boolean }
      if (service.hasUpcoming) upcomingServices.add(service.id)
    }
  }
}
