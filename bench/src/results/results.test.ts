import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Figures, RunInfo, TargetResult } from './figures.ts'
import { compareRatios, findMismatch, NOISE_MARGIN, regressionTable } from './ratios.ts'
import { renderPage } from './report.ts'
import { readResults, saveResults } from './store.ts'

const RUN: RunInfo = {
  machine: { cpu: 'Test CPU', cores: 2, memoryBytes: 8e9, node: '20.0.0', date: '2026-01-01' },
  options: { shows: 5000, rounds: 3, seconds: 1, connections: 16, peers: [] },
  loadGenerator: 'wrk',
}

function aResult(target: string, requestsPerSecond: number): TargetResult {
  return {
    target,
    requestsPerSecond,
    minRequestsPerSecond: requestsPerSecond,
    maxRequestsPerSecond: requestsPerSecond,
    ratioToLimit: requestsPerSecond / 1000,
    p50: 1,
    p99: 2,
    bytesPerSecond: 1e6,
    overlap: 1,
  }
}

function aComparison(rate: number, title = 'Changes'): Figures {
  return { kind: 'comparisons', comparisons: [{ title, results: [aResult('limit', 1000), aResult('Marquee', rate)] }] }
}

describe('ratios', () => {
  test('a ratio within the noise margin is no regression', () => {
    const [change] = compareRatios(aComparison(900 * (1 - NOISE_MARGIN) + 1), aComparison(900))
    expect(change).toMatchObject({ name: 'Changes', regression: false })
  })

  test('a ratio below the noise margin is a regression', () => {
    const [change] = compareRatios(aComparison(900 * (1 - NOISE_MARGIN) - 1), aComparison(900))
    expect(change).toMatchObject({ name: 'Changes', stored: 0.9, regression: true })
  })

  test('ratios without a stored one are not compared', () => {
    expect(compareRatios(aComparison(900, 'New workload'), aComparison(900))).toEqual([])
  })

  test('runs with another catalog size or load generator do not compare', () => {
    const stored = { run: RUN, figures: aComparison(900) }
    expect(findMismatch(RUN, stored)).toBeUndefined()
    expect(findMismatch({ ...RUN, options: { ...RUN.options, shows: 1 } }, stored)).toContain('--shows is 1')
    expect(findMismatch({ ...RUN, loadGenerator: 'autocannon' }, stored)).toContain('autocannon')
  })

  test('the table flags regressions and lists scenarios without stored figures', () => {
    const measured = new Map([
      ['changes', aComparison(500)],
      ['show', aComparison(500)],
    ])
    const { rows, notes } = regressionTable(
      RUN,
      measured,
      new Map([['changes', { run: RUN, figures: aComparison(900) }]]),
    )
    expect(rows).toEqual([['Changes', '0.900', '0.500', '−44 %', 'REGRESSION']])
    expect(notes).toContain('show: no stored figures.')
  })
})

describe('stored results', () => {
  test('saving replaces the measured scenarios and keeps the others', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-results-'))
    try {
      const file = join(folder, 'latest.json')
      saveResults(RUN, new Map([['changes', aComparison(900)]]), file)
      saveResults(RUN, new Map([['show', aComparison(800)]]), file)
      saveResults(RUN, new Map([['changes', aComparison(700)]]), file)
      expect(readResults(file)).toEqual(
        new Map([
          ['changes', { run: RUN, figures: aComparison(700) }],
          ['show', { run: RUN, figures: aComparison(800) }],
        ]),
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the report', () => {
  const records = new Map([['changes', { run: RUN, figures: aComparison(900) }]])

  test('replaces the content between markers and nothing else', () => {
    const page = 'Before\n\n<!-- bench:limit -->\nold\n<!-- /bench -->\n\nAfter\n'
    const rendered = renderPage(page, records)
    expect(rendered).toMatch(/^Before\n\n<!-- bench:limit -->\n\n\| workload .*\n\| -+ \|/)
    expect(rendered).toMatch(/\| Changes +\| 1,000 \| +900 \|/)
    expect(rendered).toMatch(/<!-- \/bench -->\n\nAfter\n$/)
    expect(rendered).not.toContain('old')
    expect(renderPage(rendered, records)).toBe(rendered)
  })

  test('names the command for a scenario that was not measured', () => {
    expect(renderPage('<!-- bench:nodes -->\n<!-- /bench -->', records)).toContain('npm run bench -- --save nodes')
  })

  test('docs/performance.md matches the stored results', () => {
    const page = readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8')
    expect(renderPage(page, readResults())).toBe(page)
  })
})
