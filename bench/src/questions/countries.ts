import { ask } from '../ask.ts'
import { compare } from '../compare.ts'
import { readPlaces } from '../mixes/places.ts'
import { findingsOf, type Question } from '../question.ts'

/** Reference data. */
export const countries: Question = {
  name: 'countries',
  asks: 'How fast is reference data: one country, and all of them?',
  async find(bench) {
    const field = await bench.field()
    const places = await readPlaces(field.marquee)
    const each = places.map(({ country }) => ask('countries', `/countries/${country}`))
    return findingsOf([
      await compare(bench, field, 'One country', each),
      await compare(bench, field, 'All countries', [ask('countries', '/countries')]),
    ])
  },
}
