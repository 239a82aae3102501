import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type KeyStore, openKeyStore } from './key-store.ts'

let dir: string
let store: KeyStore
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'marquee-keys-'))
  store = openKeyStore(dir)
})
afterEach(async () => {
  await store.close()
  rmSync(dir, { recursive: true })
})

test('a created key is found by its secret', () => {
  const { key, record } = store.create({ source: 'direct', plan: 'free', name: 'Ann' }, 1000)
  expect(record).toMatchObject({ source: 'direct', plan: 'free', name: 'Ann', createdAt: 1000 })
  expect(store.find(key)).toEqual(record)
  expect(store.find(key)).toEqual(record)
})

test('an unknown, empty or endless secret finds nothing', () => {
  store.create({ source: 'direct', plan: 'free', name: 'Ann' }, 1000)
  for (const secret of ['', 'mq-key-nothing', 'x'.repeat(100_000)]) expect(store.find(secret)).toBeUndefined()
})

test('records carry neither the secret nor its hash', () => {
  const { key, record } = store.create({ source: 'marketplace', plan: 'pro', name: 'Bob' }, 1000)
  expect(JSON.stringify([record, store.list(), store.find(key)])).not.toContain(key)
  expect(Object.keys(record)).toEqual(['id', 'source', 'name', 'plan', 'createdAt', 'hint'])
})

test('the secret is not on disk', async () => {
  const { key } = store.create({ source: 'direct', plan: 'free', name: 'Ann' }, 1000)
  await store.close()
  for (const file of readdirSync(dir)) expect(readFileSync(join(dir, file)).includes(key)).toBe(false)
  store = openKeyStore(dir)
  expect(store.find(key)?.name).toBe('Ann')
})

test('a revoked key is still found, as revoked, at once', () => {
  const { key, record } = store.create({ source: 'direct', plan: 'free', name: 'Ann' }, 1000)
  expect(store.find(key)?.revokedAt).toBeUndefined()
  expect(store.revoke(record.id, 2000)?.revokedAt).toBe(2000)
  expect(store.find(key)?.revokedAt).toBe(2000)
  expect(store.revoke(record.id, 3000)?.revokedAt).toBe(2000)
  expect(store.revoke('nobody', 3000)).toBeUndefined()
})

test('a second opening of the same store sees and outdates what the first remembers', async () => {
  const { key, record } = store.create({ source: 'direct', plan: 'free', name: 'Ann' }, 1000)
  const other = openKeyStore(dir)
  expect(other.find(key)?.id).toBe(record.id)
  other.revoke(record.id, 2000)
  await expect.poll(() => store.find(key)?.revokedAt, { interval: 5 }).toBe(2000)
  await other.close()
})

test('keys are listed oldest first, with their origins', () => {
  store.create({ source: 'direct', plan: 'free', name: 'second' }, 2000)
  store.create({ source: 'direct', plan: 'free', name: 'first', origins: ['https://App.example'] }, 1000)
  expect(store.list().map((record) => record.name)).toEqual(['first', 'second'])
  expect(store.list()[0]?.origins).toEqual(['https://app.example'])
})
