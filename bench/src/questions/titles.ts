import { compare } from '../compare.ts'
import { exactTitles, misspeltTitles, titlePrefixes } from '../mixes/title-mix.ts'
import { findingsOf, type Question } from '../question.ts'

/** Title searches: as written, begun, and misspelt. */
export const titles: Question = {
  name: 'titles',
  asks: 'How fast is a title found, whole, begun or misspelt?',
  async find(bench) {
    const { sample } = await bench.catalog()
    const field = await bench.field()
    return findingsOf([
      await compare(bench, field, 'Titles as they are written', exactTitles(sample)),
      await compare(bench, field, 'Beginnings of titles', titlePrefixes(sample)),
      await compare(bench, field, 'Misspelt titles', misspeltTitles(sample)),
    ])
  },
}
