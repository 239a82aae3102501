import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type ClassFigures, EVALUATIONS, type EvaluationName, evaluateSearch } from './evaluation.ts'
import { buildEvaluationCatalog, DEFAULT_SHOWS } from './evaluation-catalogs.ts'
import figures from './figures.json' with { type: 'json' }

const ledgers = {
  demo: await buildEvaluationCatalog('demo', temporaryFolder(afterAll)),
  large: await buildEvaluationCatalog('large', temporaryFolder(afterAll)),
}
afterAll(() => Promise.all([ledgers.demo.close(), ledgers.large.close()]))

describe.each(Object.keys(EVALUATIONS) as EvaluationName[])('title search, %s', (name) => {
  const kind = EVALUATIONS[name].catalog
  const { classes, all, typing, misses } = evaluateSearch(ledgers[kind].catalog, name)
  const stored = figures[name]
  const storedClasses: Readonly<Record<string, ClassFigures>> = stored.classes

  it('is judged by the queries and shows of the stored figures', () => {
    const counts = (byClass: Readonly<Record<string, ClassFigures>>) =>
      Object.fromEntries(Object.entries(byClass).map(([name, { queries }]) => [name, queries]))
    expect(stored.shows).toBe(DEFAULT_SHOWS[kind])
    expect(counts(classes)).toEqual(counts(storedClasses))
  })

  it.each(Object.keys(storedClasses))('has become worse in no class: %s', (queryClass) => {
    const [now, before] = [classes[queryClass], storedClasses[queryClass]] as [ClassFigures, ClassFigures]
    const why = JSON.stringify(misses.filter((miss) => miss.kind === queryClass))
    for (const key of ['first', 'firstThree', 'firstTen'] as const) {
      expect(now[key], `${key} of ${queryClass}: ${why}`).toBeGreaterThanOrEqual(before[key])
    }
  })

  it('has the wanted title first in 85 of 100 searches, and among the first three in 97', () => {
    expect(all.first / all.queries).toBeGreaterThanOrEqual(0.85)
    expect(all.firstThree / all.queries).toBeGreaterThanOrEqual(0.97)
  })

  it('finds something while a title is typed, from its third letter on', () => {
    expect(typing.empty / typing.searches).toBeLessThanOrEqual(0.01)
    expect(typing.empty).toBeLessThanOrEqual(stored.typing.empty)
  })
})
