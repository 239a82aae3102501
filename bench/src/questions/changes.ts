import { compare } from '../compare.ts'
import { changeMix } from '../mixes/change-mix.ts'
import { findingsOf, type Question } from '../question.ts'

/** Pages of changes. */
export const changes: Question = {
  name: 'changes',
  asks: 'How fast is a page of changes, with the shows that changed?',
  async find(bench) {
    const field = await bench.field()
    const now = Math.floor(Date.now() / 1000)
    return findingsOf([await compare(bench, field, 'Changes', await changeMix(field.marquee, now))])
  },
}
