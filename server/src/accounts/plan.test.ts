import { expect, test } from 'vitest'
import { isPlanName, PLANS, type Plan, planNamed } from './plan.ts'

test('the free plan grants a thousand requests a month and ten a second', () => {
  expect(planNamed('free')).toEqual({ name: 'free', quota: { requests: 1000, per: 'month' }, rate: 10 })
})

test('plans rise, and the last has no limits', () => {
  const limits = PLANS.map((plan: Plan) => [plan.quota?.requests ?? Infinity, plan.rate ?? Infinity] as const)
  for (let i = 1; i < limits.length; i++) {
    expect(limits[i]![0]).toBeGreaterThan(limits[i - 1]![0])
    expect(limits[i]![1]).toBeGreaterThan(limits[i - 1]![1])
  }
  expect(limits.at(-1)).toEqual([Infinity, Infinity])
})

test('only the listed names are plans', () => {
  expect(isPlanName('pro')).toBe(true)
  expect(isPlanName('toString')).toBe(false)
})
