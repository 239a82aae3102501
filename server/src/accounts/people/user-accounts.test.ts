import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { type Accounts, openAccounts } from '../accounts.ts'
import { hashSecret } from '../keys/api-key.ts'
import { openAccountTables } from '../store/account-tables.ts'

const NOW = 1_000_000
const act = { by: 'operator', now: NOW } as const
const ann = { email: 'Ann@Example.com', password: 'correct horse battery', clientAddress: '192.0.2.1', now: NOW }

let accounts: Accounts
let folder: string
beforeEach(() => {
  folder = temporaryFolder()
  accounts = openAccounts(folder, { passwordCost: { log2N: 4, r: 8, p: 1 } })
  onTestFinished(() => accounts.close())
})

describe('signing up and in', () => {
  test('address and password identify the account, whatever the case of the address', async () => {
    const { account } = await accounts.users.signUp(ann, 'open')
    expect(account).toMatchObject({ email: 'ann@example.com', role: 'developer', plan: 'free' })
    const { account: again, token } = await accounts.users.signIn({ ...ann, email: ' ann@example.COM ' })
    expect(again).toEqual(account)
    expect(await accounts.sessions.find(token, NOW)).toMatchObject({ accountId: account.id })
  })

  test('a wrong password and an unknown address give the same error', async () => {
    await accounts.users.signUp(ann, 'open')
    const failure = { code: 'sign_in_failed', message: 'Address and password do not lead to an account' }
    await expect(accounts.users.signIn({ ...ann, password: 'wrong horse battery' })).rejects.toMatchObject(failure)
    await expect(accounts.users.signIn({ ...ann, email: 'bob@example.com' })).rejects.toMatchObject(failure)
  })

  test('signing up does not reveal whether an address is in use: both users get accounts of their own', async () => {
    const first = await accounts.users.signUp(ann, 'open')
    const other = await accounts.users.signUp({ ...ann, password: 'another horse battery' }, 'open')
    expect(other.account.id).not.toBe(first.account.id)
    expect((await accounts.users.signIn(ann)).account.id).toBe(first.account.id)
    expect((await accounts.users.signUp(ann, 'open')).account.id).toBe(first.account.id)
  })

  test('concurrent sign-ups with the same address all succeed', async () => {
    const passwords = ['first horse battery', 'second horse battery', 'third horse battery']
    const people = passwords.map((password) => ({ ...ann, password }))
    const made = await Promise.all(people.map((person) => accounts.users.signUp(person, 'open')))
    expect(new Set(made.map(({ account }) => account.id)).size).toBe(3)
    for (const [i, person] of people.entries()) {
      expect((await accounts.users.signIn(person)).account).toEqual(made[i]?.account)
    }
  })

  test('concurrently created accounts of one address can all sign in', async () => {
    const passwords = ['first horse battery', 'second horse battery']
    const made = await Promise.all(
      passwords.map((password) =>
        accounts.users.create({ email: ann.email, password, role: 'admin', plan: 'free' }, act),
      ),
    )
    for (const [i, password] of passwords.entries()) {
      expect((await accounts.users.signIn({ ...ann, password })).account).toEqual(made[i])
    }
  })

  test.each([
    ['short', 'weak_password'],
    ['aaaaaaaaaaaaaaaa', 'weak_password'],
    ['ann@example.com', 'weak_password'],
  ])('the password %s is refused', async (password, code) => {
    await expect(accounts.users.signUp({ ...ann, password }, 'open')).rejects.toMatchObject({ code })
  })

  test.each(['', 'ann', 'ann@', 'a b@example.com', '<a>@example.com', 'a\x1b[2j@example.com', 'a\u202eb@example.com'])(
    '%j is no address',
    async (email) => {
      await expect(accounts.users.signUp({ ...ann, email }, 'open')).rejects.toMatchObject({ code: 'invalid_email' })
    },
  )

  test('can be closed', async () => {
    await expect(accounts.users.signUp(ann, 'closed')).rejects.toMatchObject({ code: 'sign_up_closed' })
  })

  test('can require an invitation, which is valid for one address, once, for two weeks', async () => {
    const { code } = await accounts.admin.invite('ann@example.com', act)
    const refused = { code: 'invitation_needed' }
    await expect(accounts.users.signUp(ann, 'invited')).rejects.toMatchObject(refused)
    await expect(accounts.users.signUp({ ...ann, email: 'bob@example.com' }, 'invited', code)).rejects.toMatchObject(
      refused,
    )
    const late = { ...ann, now: NOW + 15 * 86_400 }
    await expect(accounts.users.signUp(late, 'invited', code)).rejects.toMatchObject(refused)
    await accounts.users.signUp(ann, 'invited', code)
    const second = { ...ann, password: 'another horse battery' }
    await expect(accounts.users.signUp(second, 'invited', code)).rejects.toMatchObject(refused)
  })
})

describe('guessing', () => {
  test('is refused after ten attempts at an address from one client, for a quarter of an hour', async () => {
    await accounts.users.signUp(ann, 'open')
    const wrong = { ...ann, password: 'wrong horse battery' }
    for (let i = 0; i < 10; i++) {
      await expect(accounts.users.signIn(wrong)).rejects.toMatchObject({ code: 'sign_in_failed' })
    }
    await expect(accounts.users.signIn(ann)).rejects.toMatchObject({ code: 'too_many_attempts', retryAfter: 900 })
    // The owner, at another client address, is not locked out.
    expect((await accounts.users.signIn({ ...ann, clientAddress: '192.0.2.2' })).account.email).toBe('ann@example.com')
    expect((await accounts.users.signIn({ ...ann, now: NOW + 900 })).account.email).toBe('ann@example.com')
  })

  const wrong = { ...ann, password: 'wrong horse battery' }
  /** Has guessed so often, without the time that it takes. */
  const guessed = async (count: number, name: string) => {
    const { tables, close } = openAccountTables(folder)
    await tables.attempts.put(name, { count, endsAt: NOW + 900 })
    await close()
  }
  /** Guesses until the e-mail address is refused everywhere. */
  const lockEverywhere = async () => {
    await guessed(97, `anywhere/${hashSecret('ann@example.com')}`)
    for (let i = 0; i < 3; i++) {
      const guess = { ...wrong, clientAddress: `198.51.${i}.7` }
      await expect(accounts.users.signIn(guess)).rejects.toMatchObject({ code: 'sign_in_failed' })
    }
  }
  const refused = { code: 'too_many_attempts' }

  test("an attacker's own sign-ins with the same address do not clear the counter", async () => {
    await accounts.users.signUp(ann, 'open')
    const own = { ...ann, password: 'attacker horse battery' }
    await accounts.users.signUp({ ...own, clientAddress: '203.0.113.9' }, 'open')
    let guesses = 0
    for (let i = 0; i < 15; i++) {
      await accounts.users.signIn(wrong).catch(({ code }) => (guesses += code === 'sign_in_failed' ? 1 : 0))
      await accounts.users.signIn(own).catch(() => {})
    }
    expect(guesses).toBe(10)
  })

  test('the owner signs in on a known device while strangers have the address refused everywhere; admins too', async () => {
    await accounts.users.create({ ...ann, role: 'admin', plan: 'free' }, act)
    const { deviceToken } = await accounts.users.signIn(ann)
    await lockEverywhere()
    await expect(accounts.users.signIn({ ...ann, clientAddress: '192.0.2.99' })).rejects.toMatchObject(refused)
    const again = await accounts.users.signIn({ ...ann, deviceToken })
    expect(again).toMatchObject({ account: { role: 'admin' }, deviceToken: undefined })
    // A device has a limit, too.
    const guess = { ...wrong, deviceToken }
    for (let i = 0; i < 9; i++) await expect(accounts.users.signIn(guess)).rejects.toMatchObject(refused)
    await expect(accounts.users.signIn({ ...ann, deviceToken })).rejects.toMatchObject(refused)
  })

  test('a device that is known for another account of the address, or forged, is a stranger', async () => {
    await accounts.users.signUp(ann, 'open')
    const own = { ...ann, password: 'attacker horse battery', clientAddress: '203.0.113.9' }
    const { deviceToken = '' } = await accounts.users.signUp(own, 'open')
    await lockEverywhere()
    const stranger = { ...ann, clientAddress: '192.0.2.99' }
    for (const token of [deviceToken, `${deviceToken}x`, 'a.b.c', '', '.'])
      await expect(accounts.users.signIn({ ...stranger, deviceToken: token })).rejects.toMatchObject(refused)
    expect((await accounts.users.signIn({ ...own, deviceToken })).account.email).toBe('ann@example.com')
    const late = { ...own, deviceToken, now: NOW + 181 * 86_400 }
    expect((await accounts.users.signIn(late)).deviceToken).toBeDefined()
  })

  test('a client and its network are counted apart from addresses', async () => {
    const guess = (i: number, clientAddress: string) =>
      accounts.users.signIn({ ...ann, email: `p${i}@example.com`, clientAddress })
    const failed = { code: 'sign_in_failed' }
    await guessed(599, 'network/198.51.100')
    await expect(guess(1, '198.51.100.20')).rejects.toMatchObject(failed)
    await expect(guess(2, '198.51.100.21')).rejects.toMatchObject(refused)
    await expect(guess(2, '198.51.101.21')).rejects.toMatchObject(failed)
    await guessed(59, 'place/2001:db8:1:1::/64')
    await expect(guess(3, '2001:db8:1:1::/64')).rejects.toMatchObject(failed)
    await expect(guess(4, '2001:db8:1:1::/64')).rejects.toMatchObject(refused)
    await guessed(600, 'network/2001:db8:1')
    await expect(guess(4, '2001:db8:1:2::/64')).rejects.toMatchObject(refused)
  })

  test('the operator can let an address in again', async () => {
    await accounts.users.signUp(ann, 'open')
    await lockEverywhere()
    await expect(accounts.users.signIn(ann)).rejects.toMatchObject(refused)
    expect(await accounts.users.unlock('Ann@example.com', ann.clientAddress, act)).toBe(6)
    expect((await accounts.users.signIn(ann)).account.email).toBe('ann@example.com')
    expect([...accounts.audit.newestFirst()][0]).toMatchObject({
      action: 'account.unlocked',
      target: 'ann@example.com',
    })
  })
})

test('a lockout that a clock a year ahead caused lasts no longer than a window', async () => {
  await accounts.users.signUp(ann, 'open')
  const ahead = { ...ann, password: 'wrong horse battery', now: NOW + 365 * 86_400 }
  for (let i = 0; i < 10; i++) await expect(accounts.users.signIn(ahead)).rejects.toThrow('do not lead')
  for (const [later, retryAfter] of [
    [0, 900],
    [600, 300],
  ] as const) {
    const entry = { ...ann, now: NOW + later }
    await expect(accounts.users.signIn(entry)).rejects.toMatchObject({ code: 'too_many_attempts', retryAfter })
  }
  expect((await accounts.users.signIn({ ...ann, now: NOW + 900 })).account.email).toBe('ann@example.com')
})

describe('sessions', () => {
  test('expire two weeks after they were last used', async () => {
    const { token } = await accounts.users.signUp(ann, 'open')
    const week = 7 * 86_400
    for (const weeks of [1, 2, 3]) expect(await accounts.sessions.find(token, NOW + weeks * week)).toBeDefined()
    expect(await accounts.sessions.find(token, NOW + 5 * week)).toBeUndefined()
    await accounts.prune(NOW + 5 * week)
    expect(await accounts.sessions.find(token, NOW)).toBeUndefined()
  })

  test('a new password deletes all other sessions and replaces the former password', async () => {
    const { account, session, token } = await accounts.users.signUp(ann, 'open')
    const elsewhere = await accounts.users.signIn(ann)
    const given = { current: ann.password, next: 'another horse battery' }
    await expect(
      accounts.users.changePassword(account, session, { ...given, current: 'wrong horse battery' }, NOW),
    ).rejects.toMatchObject({ code: 'wrong_password' })
    await accounts.users.changePassword(account, session, given, NOW)
    expect(await accounts.sessions.find(token, NOW)).toBeDefined()
    expect(await accounts.sessions.find(elsewhere.token, NOW)).toBeUndefined()
    await expect(accounts.users.signIn(ann)).rejects.toMatchObject({ code: 'sign_in_failed' })
    expect((await accounts.users.signIn({ ...ann, password: given.next })).account.id).toBe(account.id)
  })
})

test('the keys of an account share its plan and its quota counter', async () => {
  const { account } = await accounts.users.signUp(ann, 'open')
  const make = () => accounts.keys.create({ source: 'direct', accountId: account.id }, act)
  const [one, other] = [await make(), await make()]
  for (const { key } of [one, other]) {
    expect(accounts.keys.find(key, NOW)).toMatchObject({ quotaOwner: account.id, plan: { name: 'free' } })
  }
  await accounts.admin.setPlan(account.id, 'mega', act)
  expect(accounts.keys.find(one.key, NOW)?.plan.name).toBe('mega')
  await expect(accounts.keys.setPlan(one.record.id, 'pro', act)).rejects.toThrow('belongs to the account')
  for (let i = 2; i < 20; i++) await make()
  await expect(make()).rejects.toMatchObject({ code: 'too_many_keys' })
})
