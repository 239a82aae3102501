import { compare } from '../compare.ts'
import { filterMix } from '../mixes/filter-mix.ts'
import { findingsOf, type Question } from '../question.ts'

/** Filter searches. */
export const filters: Question = {
  name: 'filters',
  asks: 'How fast is a page of a filter search?',
  async find(bench) {
    const { sample } = await bench.catalog()
    const field = await bench.field()
    return findingsOf([await compare(bench, field, 'Filter searches', await filterMix(field.marquee, sample))])
  },
}
