import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { type Accounts, openAccounts } from '../accounts.ts'

const NOW = 1_000_000
const DAY = 86_400
const act = { by: 'operator', now: NOW } as const
const ann = { email: 'ann@example.com', password: 'correct horse battery', clientAddress: '192.0.2.1', now: NOW }
const here = { clientAddress: ann.clientAddress, now: NOW }

let accounts: Accounts
beforeEach(() => {
  accounts = openAccounts(temporaryFolder(), { passwordCost: { log2N: 4, r: 8, p: 1 } })
  onTestFinished(() => accounts.close())
})

const actions = () => [...accounts.audit.newestFirst()].map(({ action }) => action)

describe('an account is named by its id or its address', () => {
  test('whatever the case of the address', async () => {
    const { account } = await accounts.users.signUp(ann, 'open')
    expect(accounts.admin.require(account.id)).toEqual(account)
    expect(accounts.admin.require(' Ann@Example.com ')).toEqual(account)
    expect(() => accounts.admin.require('bob@example.com')).toThrow('No account has the id or the address')
  })

  test('two accounts of one address are named by their ids', async () => {
    const one = await accounts.users.signUp(ann, 'open')
    const other = await accounts.users.signUp({ ...ann, password: 'another horse battery' }, 'open')
    const both = new RegExp(`2 accounts have the address .*(${one.account.id}|${other.account.id})`)
    expect(() => accounts.admin.require(ann.email)).toThrow(both)
  })
})

describe('a reset of the password', () => {
  test('sets a new one, ends all sessions, and starts one', async () => {
    const { token: before, account } = await accounts.users.signUp(ann, 'open')
    const { code } = await accounts.admin.createReset(ann.email, act)
    const { token } = await accounts.users.resetPassword(code, 'a brand new password', here)
    expect(await accounts.sessions.find(before, NOW)).toBeUndefined()
    expect(await accounts.sessions.find(token, NOW)).toMatchObject({ accountId: account.id })
    await expect(accounts.users.signIn(ann)).rejects.toMatchObject({ code: 'sign_in_failed' })
    expect((await accounts.users.signIn({ ...ann, password: 'a brand new password' })).account).toEqual(account)
    expect(actions().slice(0, 2)).toEqual(['account.password_reset', 'account.reset_created'])
  })

  test('works once, for a day, and only the latest code', async () => {
    await accounts.users.signUp(ann, 'open')
    const refused = { code: 'reset_needed' }
    const first = await accounts.admin.createReset(ann.email, act)
    const second = await accounts.admin.createReset(ann.email, act)
    const reset = (code: string, now = NOW) =>
      accounts.users.resetPassword(code, 'a brand new password', { ...here, now })
    await expect(reset('nonsense')).rejects.toMatchObject(refused)
    await expect(reset(first.code)).rejects.toMatchObject(refused)
    await expect(reset(second.code, NOW + DAY)).rejects.toMatchObject(refused)
    await expect(accounts.users.resetPassword(second.code, 'short', here)).rejects.toMatchObject({
      code: 'weak_password',
    })
    await reset(second.code)
    await expect(reset(second.code)).rejects.toMatchObject(refused)
  })

  test('does not reveal that another account of the address has the password', async () => {
    const { account } = await accounts.users.signUp(ann, 'open')
    await accounts.users.signUp({ ...ann, password: 'another horse battery' }, 'open')
    const { code } = await accounts.admin.createReset(account.id, act)
    await expect(accounts.users.resetPassword(code, 'another horse battery', here)).rejects.toMatchObject({
      code: 'weak_password',
    })
    await accounts.users.resetPassword(code, 'a brand new password', here)
    await accounts.users.signIn({ ...ann, password: 'another horse battery' })
  })

  test('guesses of codes are limited', async () => {
    const guess = () => accounts.users.resetPassword('nonsense', 'a brand new password', here)
    for (let i = 0; i < 60; i++) await expect(guess()).rejects.toMatchObject({ code: 'reset_needed' })
    await expect(guess()).rejects.toMatchObject({ code: 'too_many_attempts' })
  })
})

describe('a disabled account', () => {
  test('has no sessions, no active keys and no sign-in until it is enabled', async () => {
    const { account, token } = await accounts.users.signUp(ann, 'open')
    const { key } = await accounts.keys.create({ source: 'direct', accountId: account.id }, act)
    expect(accounts.keys.find(key, NOW)?.ended).toBeUndefined()
    expect(await accounts.admin.disable(ann.email, act)).toEqual({ ...account, disabledAt: NOW })
    expect(await accounts.sessions.find(token, NOW)).toBeUndefined()
    expect(accounts.keys.find(key, NOW)?.ended).toBe('disabled')
    await expect(accounts.users.signIn(ann)).rejects.toMatchObject({ code: 'account_disabled' })
    await expect(accounts.users.signUp(ann, 'open')).rejects.toMatchObject({ code: 'account_disabled' })
    await accounts.admin.disable(ann.email, act)
    expect(await accounts.admin.enable(ann.email, act)).toEqual(account)
    expect(accounts.keys.find(key, NOW)?.ended).toBeUndefined()
    expect((await accounts.users.signIn(ann)).account).toEqual(account)
    expect(actions().filter((action) => /abled/.test(action))).toEqual(['account.enabled', 'account.disabled'])
  })
})

test('a deleted account leaves nothing that leads to it, and is exported before', async () => {
  const { account } = await accounts.users.signUp(ann, 'open')
  const made = await accounts.keys.create({ source: 'direct', accountId: account.id, name: 'app' }, act)
  const { key } = await accounts.keys.rotate(made.record.id, DAY, act)
  await accounts.admin.createReset(account.id, act)
  const { account: neighbour } = await accounts.users.signUp({ ...ann, email: 'ann@example.co' }, 'open')
  const exported = await accounts.admin.delete(ann.email, act)
  expect(exported).toMatchObject({ account, keys: [{ id: made.record.id, name: 'app' }], sessions: [{}] })
  expect(exported.audit.map(({ action }) => action)).toEqual([
    'account.reset_created',
    'key.rotated',
    'key.created',
    'account.created',
  ])
  expect(JSON.stringify(exported)).not.toContain('hash')
  expect(accounts.users.list()).toEqual([neighbour])
  for (const secret of [key, made.key]) expect(accounts.keys.find(secret, NOW)).toBeUndefined()
  await expect(accounts.users.signIn(ann)).rejects.toMatchObject({ code: 'sign_in_failed' })
  await accounts.users.signIn({ ...ann, email: 'ann@example.co' })
  expect((await accounts.users.signUp(ann, 'open')).account.id).not.toBe(account.id)
})

test('roles, plans and sessions are changed by the operator', async () => {
  const { account, token } = await accounts.users.signUp(ann, 'open')
  expect((await accounts.admin.setRole(ann.email, 'admin', act)).role).toBe('admin')
  expect((await accounts.admin.setRole(ann.email, 'developer', act)).role).toBe('developer')
  await expect(accounts.admin.setPlan(ann.email, 'gold', act)).rejects.toThrow('There is no plan "gold"')
  await accounts.users.signIn(ann)
  expect((await accounts.admin.endSessions(ann.email, act)).ended).toBe(2)
  expect(await accounts.sessions.find(token, NOW)).toBeUndefined()
  expect(accounts.admin.require(account.id)).toEqual(account)
})
