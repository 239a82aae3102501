import { type FeedShow, feedLines, isShow } from '../../support/feed.ts'
import type { Reference } from './reference.ts'
import { comingChanges, type FeedChange, type RenderedChange, renderChange } from './rendered-change.ts'
import { type RenderedShow, renderShow } from './rendered-show.ts'

/** What a peer is filled with, record by record. */
export type RenderedRecord =
  | { readonly kind: 'show'; readonly show: RenderedShow; readonly changes: readonly RenderedChange[] }
  | { readonly kind: 'change'; readonly change: RenderedChange }

/** Reads an exported feed and prints all that is in it. */
export async function* renderedCatalog(
  feed: string,
  reference: Reference,
  now: number,
): AsyncGenerator<RenderedRecord> {
  const announcing = new Set<string>()
  for await (const line of feedLines(feed)) {
    if (isShow(line)) {
      const show = JSON.parse(line) as FeedShow
      const changes = [...comingChanges(show, announcing)].map((change) => renderChange(change, reference))
      yield { kind: 'show', show: renderShow(show, reference, now), changes }
    } else if (line.startsWith('{"kind":"change"')) {
      yield { kind: 'change', change: renderChange(JSON.parse(line) as FeedChange, reference) }
    } else if (line.startsWith('{"kind":"service"')) {
      const service = JSON.parse(line) as { id: string; hasUpcoming?: boolean }
      if (service.hasUpcoming) announcing.add(service.id)
    }
  }
}
