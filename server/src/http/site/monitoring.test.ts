import { expect, test } from 'vitest'
import { readinessPage } from './monitoring.ts'

const serving = (version: number) => ({ version: () => version })
const ledger = { connected: true, commit: 7, lastCommit: 9, lagSeconds: 20, maxLagSeconds: 60 }

test('a service with a catalog is ready', () => {
  expect(readinessPage(serving(3)).body).toBe('{"status":"ready","catalogVersion":3}')
  expect(() => readinessPage(serving(0))).toThrow('holds no catalog yet')
})

test('a node is ready when all its workers are, and says how much of its catalog is copied', () => {
  const problem = '1 of 2 workers are starting.'
  expect(() => readinessPage(serving(3), undefined, { problem })).toThrow(problem)
  expect(() => readinessPage(serving(0), ledger, { problem, copiedPercent: 43 })).toThrow('copying the catalog, 43 %')
  expect(readinessPage(serving(3), undefined, { copiedPercent: 43 }).body).toContain('"ready"')
})

test('a node is ready while its lag is below the limit, and reports the lag', () => {
  expect(JSON.parse(String(readinessPage(serving(3), ledger).body))).toEqual({
    status: 'ready',
    catalogVersion: 3,
    ledger: { connected: true, commit: 7, lastCommit: 9, lagSeconds: 20 },
  })
  expect(() => readinessPage(serving(3), { ...ledger, lagSeconds: 61 })).toThrow('behind its ledger for 61 seconds')
})

test('a node without contact to its ledger stays ready', () => {
  const away = { ...ledger, connected: false, lagSeconds: 0 }
  expect(JSON.parse(String(readinessPage(serving(3), away).body))).toMatchObject({ status: 'ready' })
})
