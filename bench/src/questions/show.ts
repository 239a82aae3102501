import { compare } from '../compare.ts'
import { showsEverywhere, showsInACountry } from '../mixes/show-mix.ts'
import { findingsOf, type Question } from '../question.ts'

/** Shows by id, small and large. */
export const show: Question = {
  name: 'show',
  asks: 'How fast is a show found by its id and sent?',
  async find(bench) {
    const { sample } = await bench.catalog()
    const field = await bench.field()
    return findingsOf([
      await compare(bench, field, 'A show by id, in one country', showsInACountry(sample)),
      await compare(bench, field, 'A show by id, all countries and episodes', showsEverywhere(sample)),
    ])
  },
}
