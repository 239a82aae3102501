import { compare } from '../compare.ts'
import { filterMix } from '../mixes/filter-mix.ts'
import { showsInACountry } from '../mixes/show-mix.ts'
import { findingsOf, type Question } from '../question.ts'

/** What a client asks that has the answer already. */
export const notModified: Question = {
  name: 'not-modified',
  asks: 'How fast is the answer that nothing has changed (304)?',
  async find(bench) {
    const { sample } = await bench.catalog()
    const field = await bench.field()
    const manner = { revalidate: true }
    return findingsOf([
      await compare(bench, field, 'Shows that have not changed', showsInACountry(sample), manner),
      await compare(bench, field, 'Searches that have not changed', await filterMix(field.marquee, sample), manner),
    ])
  },
}
