import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { type Accounts, openAccounts } from '../accounts.ts'

const act = { by: 'operator', now: 1_000 } as const

let accounts: Accounts
beforeEach(() => {
  accounts = openAccounts(temporaryFolder())
  onTestFinished(() => accounts.close())
})

const names = () => accounts.plans.list().map(({ name }) => name)

test('standard plans exist from the start, smallest first', () => {
  expect(names()).toEqual(['free', 'pro', 'ultra', 'mega', 'unlimited'])
  expect(accounts.plans.require('free')).toEqual({ name: 'free', quota: { requests: 1_000, per: 'month' }, rate: 10 })
  expect(accounts.plans.require('unlimited')).toEqual({ name: 'unlimited' })
})

test('plans can be added, changed and deleted', async () => {
  await accounts.plans.set({ name: 'tiny', quota: { requests: 10, per: 'day' } }, act)
  await accounts.plans.set({ name: 'free', rate: 1 }, act)
  expect(names()).toEqual(['tiny', 'pro', 'ultra', 'mega', 'free', 'unlimited'])
  await accounts.plans.delete('tiny', act)
  await accounts.plans.delete('free', act)
  expect(names()).toEqual(['free', 'pro', 'ultra', 'mega', 'unlimited'])
  await expect(accounts.plans.delete('free', act)).rejects.toThrow('can be altered, but not removed')
  await expect(accounts.plans.delete('gold', act)).rejects.toThrow('There is no plan "gold"')
  await expect(accounts.plans.set({ name: 'Très cher' }, act)).rejects.toMatchObject({ code: 'invalid_plan' })
})

test('a plan in use cannot be deleted', async () => {
  await accounts.plans.set({ name: 'tiny' }, act)
  await accounts.keys.create({ source: 'direct', plan: 'tiny' }, act)
  await expect(accounts.plans.delete('tiny', act)).rejects.toMatchObject({ code: 'plan_in_use' })
})
