import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { type Accounts, openAccounts } from '../accounts.ts'
import type { KeyStore, NewKey } from './key-store.ts'

const NOW = 1_000
const act = { by: 'operator', now: NOW } as const

let dir: string
let accounts: Accounts
let keys: KeyStore
beforeEach(() => {
  dir = temporaryFolder()
  accounts = openAccounts(dir)
  keys = accounts.keys
  onTestFinished(() => accounts.close())
})

const aKey = (more: Partial<NewKey> = {}) => keys.create({ source: 'direct', plan: 'free', name: 'Ann', ...more }, act)

test('a created key is found by its secret, with its plan', async () => {
  const { key, record } = await aKey()
  expect(record).toMatchObject({ source: 'direct', plan: 'free', name: 'Ann', createdAt: NOW })
  for (let i = 0; i < 2; i++) {
    expect(keys.find(key, NOW)).toMatchObject({
      id: record.id,
      quotaOwner: record.id,
      plan: { name: 'free', rate: 10 },
    })
  }
})

test('an unknown, empty or overlong secret is not found', async () => {
  await aKey()
  for (const secret of ['', 'mq-key-nothing', 'x'.repeat(100_000)]) expect(keys.find(secret, NOW)).toBeUndefined()
})

test('records carry neither the secret nor its hash', async () => {
  const { key, record } = await aKey({ source: 'marketplace', plan: 'pro' })
  expect(JSON.stringify([record, keys.list(), keys.find(key, NOW), [...accounts.audit.newestFirst()]])).not.toContain(
    key,
  )
  expect(Object.keys(record)).toEqual(['id', 'source', 'name', 'plan', 'createdAt', 'hint'])
})

test('the secret is not stored on disk, and is valid after reopening', async () => {
  const { key } = await aKey()
  await accounts.close()
  for (const file of readdirSync(dir)) expect(readFileSync(join(dir, file)).includes(key)).toBe(false)
  accounts = openAccounts(dir)
  expect(accounts.keys.find(key, NOW)).toBeDefined()
})

test('a key needs no name, but an empty one is refused', async () => {
  const { record } = await keys.create({ source: 'direct', plan: 'free' }, act)
  expect(record.name).toBe('')
  for (const name of ['', ' \t\n ']) {
    await expect(aKey({ name })).rejects.toMatchObject({ code: 'invalid_name' })
    await expect(keys.change(record.id, { name }, act)).rejects.toMatchObject({ code: 'invalid_name' })
  }
  expect(keys.list()).toHaveLength(1)
})

test('keys are listed in the order in which they were created', async () => {
  for (const [i, name] of ['a', 'b', 'c'].entries()) {
    await keys.create({ source: 'direct', plan: 'free', name }, { by: 'operator', now: NOW + i })
  }
  expect(keys.list().map(({ name }) => name)).toEqual(['a', 'b', 'c'])
})

test('a revoked key is found as revoked, and revoking it again changes nothing', async () => {
  const { key, record } = await aKey()
  expect(keys.find(key, NOW)?.ended).toBeUndefined()
  expect((await keys.revoke(record.id, { ...act, now: 2_000 })).revokedAt).toBe(2_000)
  expect((await keys.revoke(record.id, { ...act, now: 3_000 })).revokedAt).toBe(2_000)
  expect(keys.find(key, NOW)?.ended).toBe('revoked')
  await expect(keys.revoke('nobody', act)).rejects.toMatchObject({ code: 'unknown_key' })
})

test('another process sees a revocation within milliseconds', async () => {
  const { key, record } = await aKey()
  const other = openAccounts(dir)
  expect(other.keys.find(key, NOW)?.ended).toBeUndefined()
  await keys.revoke(record.id, act)
  await expect.poll(() => other.keys.find(key, NOW)?.ended).toBe('revoked')
  await other.close()
})

describe('rotation', () => {
  test('keeps the key and its counters; the previous secret is valid until the overlap ends', async () => {
    const { key, record } = await aKey()
    const rotated = await keys.rotate(record.id, 60, act)
    expect(rotated.key).not.toBe(key)
    expect(rotated.record).toMatchObject({ id: record.id, previous: { hint: record.hint, endsAt: NOW + 60 } })
    for (const secret of [key, rotated.key]) {
      expect(keys.find(secret, NOW + 59)).toMatchObject({ quotaOwner: record.id })
      expect(keys.find(secret, NOW + 59)?.ended).toBeUndefined()
    }
    expect(keys.find(key, NOW + 60)?.ended).toBe('rotated')
    expect(keys.find(rotated.key, NOW + 60)?.ended).toBeUndefined()
  })

  test('a second rotation invalidates the secret before the previous one at once', async () => {
    const { key, record } = await aKey()
    const second = await keys.rotate(record.id, 60, act)
    const third = await keys.rotate(record.id, 60, act)
    expect(keys.find(key, NOW)).toBeUndefined()
    expect(keys.find(second.key, NOW)?.ended).toBeUndefined()
    expect(keys.find(third.key, NOW)?.ended).toBeUndefined()
  })

  test('a revoked key stays revoked', async () => {
    const { record } = await aKey()
    await keys.revoke(record.id, act)
    await expect(keys.rotate(record.id, 60, act)).rejects.toMatchObject({ code: 'key_ended' })
  })
})

describe('changes', () => {
  test('a new plan applies at once', async () => {
    const { key, record } = await aKey()
    await keys.setPlan(record.id, 'pro', act)
    expect(keys.find(key, NOW)?.plan.name).toBe('pro')
    await accounts.plans.set({ name: 'pro', rate: 7 }, act)
    expect(keys.find(key, NOW)?.plan).toEqual({ name: 'pro', rate: 7 })
    await expect(keys.setPlan(record.id, 'gold', act)).rejects.toThrow('There is no plan "gold"; the plans are free,')
  })

  test('origins are normalized to the form that browsers send, and can be removed', async () => {
    const { record } = await aKey({
      origins: ['https://App.example/', 'http://localhost:3000', 'capacitor://localhost'],
    })
    expect(record.origins).toEqual(['https://app.example', 'http://localhost:3000', 'capacitor://localhost'])
    for (const wrong of ['app.example', 'https://app.example/path', 'https://*', '']) {
      await expect(keys.change(record.id, { origins: [wrong] }, act), wrong).rejects.toMatchObject({
        code: 'invalid_origin',
      })
    }
    expect((await keys.change(record.id, { origins: [] }, act)).origins).toBeUndefined()
  })
})

test('the audit log records who did what and when, newest first, in the commit of the change', async () => {
  const { record } = await aKey()
  await keys.rotate(record.id, 60, { by: 'account:7', now: NOW + 1 })
  await keys.revoke(record.id, { by: 'operator', now: NOW + 2 })
  expect([...accounts.audit.newestFirst()]).toEqual([
    { at: NOW + 2, by: 'operator', action: 'key.revoked', target: record.id },
    { at: NOW + 1, by: 'account:7', action: 'key.rotated', target: record.id, details: { overlapSeconds: 60 } },
    {
      at: NOW,
      by: 'operator',
      action: 'key.created',
      target: record.id,
      details: { source: 'direct', name: 'Ann', plan: 'free' },
    },
  ])
})
