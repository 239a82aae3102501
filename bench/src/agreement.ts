import type { Page } from './contestant.ts'

/** How far two contestants answer the same, from 0 to 1: the mean share of shows that both have on a page. */
export function agreement(ours: readonly Page[], theirs: readonly Page[]): number {
  let sum = 0
  ours.forEach(({ ids }, i) => {
    const others = new Set(theirs[i]!.ids)
    const most = Math.max(ids.length, others.size)
    sum += most === 0 ? 1 : ids.filter((id) => others.has(id)).length / most
  })
  return sum / ours.length
}
