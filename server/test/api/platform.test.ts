import { describe, expect, it } from 'vitest'
import { CHECKS } from '../../src/doctor/finding.ts'
import { Browser } from '../support/browser.ts'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { MailServer } from '../support/mail-server.ts'
import { aTestService, type TestAnswer } from '../support/test-service.ts'

const ANN = { email: 'ann@example.com', password: 'correct horse battery' }
const SECRET = 'a secret shared with the marketplace'.replaceAll(' ', '-')

describe('the developer platform', async () => {
  const service = await aTestService(aSnapshot(aMovie({ id: '1' })), { marketplaceSecret: SECRET })
  const signedIn = async (person = ANN) => {
    const browser = new Browser(service)
    expect((await browser.send('POST', '/sign-up', person)).status).toBe(201)
    return browser
  }

  it('leads from signing up to a first call', async () => {
    const browser = await signedIn()
    const { status, body } = await browser.send('POST', '/keys', { name: 'my app' })
    expect([status, body.record.plan, body.record.name]).toEqual([201, 'free', 'my app'])
    const answer = await service.raw('/v4/shows/1?country=us', { 'x-api-key': body.key })
    expect([answer.status, answer.headers['x-quota-used']]).toEqual([200, '1'])
    expect((await browser.send('GET', '/session')).body).toMatchObject({
      account: { email: 'ann@example.com', role: 'developer' },
      plan: { name: 'free' },
      quota: { granted: 1_000, used: 1 },
    })
  })

  it('limits the changes of keys in an hour, and says when to retry', async () => {
    const browser = await signedIn({ ...ANN, email: 'mallory@example.com' })
    const { record } = (await browser.send('POST', '/keys', { name: 'one' })).body
    const path = `/keys/${record.id}`
    for (let i = 1; i < 60; i++) expect((await browser.send('PATCH', path, { name: `${i}` })).status).toBe(200)
    for (const refused of [
      await browser.send('POST', '/keys', { name: 'two' }),
      await browser.send('PATCH', path, { name: 'x' }),
      await browser.send('POST', `${path}/rotate`, {}),
      await browser.send('DELETE', path),
    ]) {
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600'])
      expect(refused.body).toMatchObject({
        code: 'too_many_attempts',
        problem: 'too_many_changes',
        detail: 'Too many changes; try again in 60 min.',
        retryAfter: 3_600,
      })
    }
    expect((await browser.send('GET', '/keys')).body.keys).toMatchObject([{ name: '59' }])
    service.now += 3_600
    expect((await browser.send('DELETE', path)).status).toBe(200)
    expect((await browser.send('POST', '/sign-out')).status).toBe(204)
  })

  it('gives a test key in one request: short-lived, with a quota of its own, and one at a time', async () => {
    const browser = await signedIn({ ...ANN, email: 'tess@example.com' })
    const { status, body } = await browser.send('POST', '/test-key', {})
    expect([status, body.record.plan, body.record.testUntil]).toEqual([201, 'test', service.now + 3_600])
    const send = (key: string) => service.raw('/v4/shows/1?country=us', { 'x-api-key': key })
    const answer = await send(body.key)
    expect([answer.status, answer.headers['x-quota-granted'], answer.headers['x-quota-used']]).toEqual([
      200,
      '100',
      '1',
    ])
    // The quota of the account, its keys and its usage are as they were, so that they agree.
    expect((await browser.send('GET', '/session')).body.quota.used).toBe(0)
    expect((await browser.send('GET', '/keys')).body.keys).toEqual([])
    const again = (await browser.send('POST', '/test-key', {})).body
    expect((await send(body.key)).error.code).toBe('invalid_key')
    expect((await send(again.key)).headers['x-quota-used']).toBe('2')
    service.now += 3_600
    const expired = await send(again.key)
    expect([expired.status, expired.error.code]).toEqual([403, 'key_revoked'])
    expect(expired.body.message).toContain('test key has expired')
  })

  it('lists the last hundred requests of an account, and of no other', async () => {
    const browser = await signedIn({ ...ANN, email: 'lou@example.com' })
    const { key, record } = (await browser.send('POST', '/keys', { name: 'logged' })).body
    const ids: string[] = []
    for (let i = 0; i < 3; i++) {
      const path = i === 1 ? '/v4/shows/none' : `/v4/shows/1?country=us&x=${i}`
      ids.unshift((await service.raw(path, { 'x-api-key': key })).headers['x-request-id'] as string)
    }
    const { requests } = (await browser.send('GET', '/requests')).body
    expect(requests.map(({ requestId }: { requestId: string }) => requestId)).toEqual(ids)
    expect(requests[0]).toMatchObject({
      ...{ at: service.now, url: '/v4/shows/1?country=us&x=2', status: 200, keyId: record.id, keyName: 'logged' },
    })
    expect(requests[1]).toMatchObject({ url: '/v4/shows/none', status: 404 })
    const other = await signedIn({ ...ANN, email: 'max@example.com' })
    expect((await other.send('GET', '/requests')).body.requests).toEqual([])
    expect((await new Browser(service).send('GET', '/requests')).status).toBe(401)
  })

  it('says how to reach the operator, if there is a setting', async () => {
    expect((await new Browser(service).send('GET', '/session')).body.contact).toBeUndefined()
    const reachable = await aTestService([], { contact: 'ops@marquee.example' })
    expect((await new Browser(reachable).send('GET', '/session')).body.contact).toBe('ops@marquee.example')
  })

  describe('a session', () => {
    it('is in a cookie that scripts cannot read and other sites cannot send', async () => {
      const { headers } = await new Browser(service).send('POST', '/sign-in', ANN)
      const [session, device] = headers['set-cookie'] as unknown as string[]
      expect(session).toMatch(/^marquee_session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
      expect(device).toMatch(/^marquee_device=[\w.-]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/)
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['access-control-allow-origin']).toBeUndefined()
    })

    it('insists on encryption where the service is reached through it', async () => {
      const secure = await aTestService([], { secureCookies: true })
      const { headers } = await new Browser(secure).send('POST', '/sign-up', ANN)
      for (const cookie of headers['set-cookie'] as unknown as string[]) {
        expect(cookie).toMatch(/^__Host-marquee_\w+=.*; Path=\/; HttpOnly; Secure;/)
      }
      const [session = ''] = headers['set-cookie'] as unknown as string[]
      const keys = (cookie: string) => secure.raw('/platform/keys', { cookie })
      expect((await keys(session)).status).toBe(200)
      expect((await keys(session.replace('__Host-', ''))).status).toBe(401)
    })

    it('is needed, and ends with signing out', async () => {
      const browser = await signedIn()
      const { cookie } = browser
      expect((await browser.send('GET', '/keys')).status).toBe(200)
      const out = await browser.send('POST', '/sign-out')
      expect([out.status, out.headers['set-cookie']]).toEqual([
        204,
        expect.stringMatching(/^marquee_session=; Max-Age=0/),
      ])
      browser.cookie = cookie
      const after = await browser.send('GET', '/keys')
      expect([after.status, after.error.code]).toEqual([401, 'not_signed_in'])
    })
  })

  describe('requests from other sites', () => {
    const changing = { method: 'POST', path: '/platform/keys', body: JSON.stringify({ name: 'x' }) } as const

    it.each([
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['a sibling', { 'sec-fetch-site': 'same-site' }],
      ['a form elsewhere', { origin: 'https://evil.example', host: 'marquee.example' }],
      ['nowhere', {}],
    ])('are rejected: %s', async (_from, headers) => {
      const browser = await signedIn()
      const answer = await service.raw(
        changing.path,
        { cookie: browser.cookie, 'x-csrf-token': browser.csrf, 'content-type': 'application/json', ...headers },
        changing.method,
        changing.body,
      )
      expect([answer.status, answer.error.code]).toEqual([403, 'cross_site_request'])
    })

    it('are rejected without the token of the session', async () => {
      const browser = await signedIn()
      for (const csrf of ['', 'nonsense', (await signedIn({ ...ANN, email: 'eve@example.com' })).csrf]) {
        browser.csrf = csrf
        const answer = await browser.send('POST', '/keys', { name: 'x' })
        expect([answer.status, answer.error.code]).toEqual([403, 'cross_site_request'])
      }
    })

    it('pages on hosts without encryption are known by their origin', async () => {
      const answer = await service.raw(
        '/platform/sign-in',
        { origin: 'http://marquee.example', host: 'marquee.example', 'content-type': 'application/json' },
        'POST',
        JSON.stringify(ANN),
      )
      expect(answer.status).toBe(200)
    })
  })

  describe('the responses do not reveal whether an address is in use', () => {
    const shape = ({ status, headers, body }: TestAnswer) => [
      status,
      Object.keys(headers).sort(),
      body.detail,
      Object.keys(body).sort(),
    ]

    it('from signing in', async () => {
      await signedIn()
      const known = await new Browser(service).send('POST', '/sign-in', { ...ANN, password: 'wrong horse battery' })
      const unknown = await new Browser(service).send('POST', '/sign-in', { ...ANN, email: 'nobody@example.com' })
      expect(known.status).toBe(401)
      expect(shape(known)).toEqual(shape(unknown))
    })

    it('from signing up, and signing in after that', async () => {
      await signedIn()
      const enter = async (email: string) => {
        const person = { email, password: 'what an attacker chooses' }
        const up = await new Browser(service).send('POST', '/sign-up', person)
        const again = await new Browser(service).send('POST', '/sign-in', person)
        return [shape(up), shape(again)]
      }
      expect(await enter(ANN.email)).toEqual(await enter('nobody-else@example.com'))
    })
  })

  it('signing in is throttled, with Retry-After', async () => {
    const browser = new Browser(service)
    const wrong = { email: 'guessed@example.com', password: 'guess after guess' }
    for (let i = 0; i < 10; i++) expect((await browser.send('POST', '/sign-in', wrong)).status).toBe(401)
    const answer = await browser.send('POST', '/sign-in', wrong)
    expect([answer.status, answer.error.code, answer.headers['retry-after']]).toEqual([429, 'too_many_attempts', '900'])
  })

  it('signing up can be closed, or take an invitation', async () => {
    const closed = await aTestService([], { signUp: 'closed' })
    expect((await new Browser(closed).send('GET', '/session')).body).toEqual({ signUp: 'closed' })
    expect((await new Browser(closed).send('POST', '/sign-up', ANN)).error.code).toBe('sign_up_closed')
    const invited = await aTestService([], { signUp: 'invited' })
    const { code } = await invited.accounts.admin.invite(ANN.email, invited.act)
    expect((await new Browser(invited).send('POST', '/sign-up', ANN)).error.code).toBe('invitation_needed')
    expect((await new Browser(invited).send('POST', '/sign-up', { ...ANN, invitation: code })).status).toBe(201)
  })

  it('the password can be changed', async () => {
    const person = { email: 'cleo@example.com', password: 'correct horse battery' }
    const browser = await signedIn(person)
    const change = (current: string, next: string) => browser.send('POST', '/password', { current, next })
    expect((await change('wrong horse battery', 'a better password')).error.code).toBe('wrong_password')
    expect((await change(person.password, 'short')).body).toMatchObject({
      code: 'invalid_body',
      problem: 'weak_password',
    })
    expect((await change(person.password, 'a better password')).status).toBe(204)
    expect((await new Browser(service).send('POST', '/sign-in', person)).status).toBe(401)
  })

  describe('keys', () => {
    it('are listed without their secrets, with when and from where they were last used', async () => {
      const browser = await signedIn({ ...ANN, email: 'dora@example.com' })
      const { key, record } = (await browser.send('POST', '/keys', { name: 'web', origins: ['https://app.example'] }))
        .body
      await service.raw('/v4/genres', { 'x-api-key': key, origin: 'https://app.example' })
      await service.recorder.flush()
      const { body, text } = await browser.send('GET', '/keys')
      expect(text).not.toContain(key)
      expect(body.keys).toEqual([{ ...record, lastUsedAt: service.now, lastOrigin: 'https://app.example' }])
      expect(record.hint).toBe(`mq-key-…${key.slice(-4)}`)
    })

    it('are renamed, limited, rotated with an overlap, and revoked', async () => {
      const browser = await signedIn({ ...ANN, email: 'emma@example.com' })
      const { key, record } = (await browser.send('POST', '/keys', { name: 'one' })).body
      const path = `/keys/${record.id}`
      const status = async (secret: string) => (await service.raw('/v4/genres', { 'x-api-key': secret })).status
      expect((await browser.send('PATCH', path, { name: 'two' })).body.record).toMatchObject({ name: 'two' })
      await browser.send('PATCH', path, { origins: ['https://app.example'] })
      expect(await status(key)).toBe(403)
      await browser.send('PATCH', path, { origins: [] })
      expect(await status(key)).toBe(200)
      const rotated = (await browser.send('POST', `${path}/rotate`, { overlapSeconds: 60 })).body
      expect([await status(key), await status(rotated.key)]).toEqual([200, 200])
      service.now += 60
      expect([await status(key), await status(rotated.key)]).toEqual([403, 200])
      expect((await browser.send('DELETE', path)).body.record.revokedAt).toBe(service.now)
      expect(await status(rotated.key)).toBe(403)
    })

    it('of others are not there', async () => {
      const owner = await signedIn({ ...ANN, email: 'fay@example.com' })
      const { record } = (await owner.send('POST', '/keys', { name: 'mine' })).body
      const other = await signedIn({ ...ANN, email: 'gus@example.com' })
      for (const answer of [
        await other.send('PATCH', `/keys/${record.id}`, { name: 'yours' }),
        await other.send('POST', `/keys/${record.id}/rotate`, {}),
        await other.send('DELETE', `/keys/${record.id}`),
      ]) {
        expect([answer.status, answer.error.code]).toEqual([404, 'not_found'])
      }
      expect((await other.send('GET', `/usage?key=${record.id}`)).status).toBe(400)
    })
  })

  it('usage is reported by day and hour, endpoint and status, with latencies and errors', async () => {
    const browser = await signedIn({ ...ANN, email: 'hal@example.com' })
    const { key, record } = (await browser.send('POST', '/keys', { name: 'one' })).body
    for (const path of ['/genres', '/shows/1', '/shows/999']) await service.raw(`/v4${path}`, { 'x-api-key': key })
    await service.recorder.flush()
    for (const query of ['', '?by=hour', `?key=${record.id}`]) {
      const { body } = await browser.send('GET', `/usage${query}`)
      expect(body.requests).toBe(3)
      expect(body.spans.at(-1)).toMatchObject({ requests: 3, statuses: { 200: 2, 404: 1 } })
      expect(body.endpoints.map(({ endpoint }: { endpoint: string }) => endpoint).sort()).toEqual([
        'getGenres',
        'getShow',
      ])
      expect(body.endpoints[0].latency.p99).toBeGreaterThan(0)
      expect(body.failures).toMatchObject([{ keyId: record.id, endpoint: 'getShow', status: 404, code: 'not_found' }])
    }
    for (const query of ['?by=week', '?from=yesterday', '?from=5&to=4', '?from=0&to=99999999999']) {
      expect((await browser.send('GET', `/usage${query}`)).error.code, query).toBe('invalid_parameter')
    }
  })

  describe('bad requests', () => {
    it.each([
      ['no JSON', '{', 'application/json', 400, 'invalid_body'],
      ['a missing member', '{"email":"a@b.c"}', 'application/json', 400, 'invalid_body'],
      ['an unknown member', '{"email":"a@b.c","password":"x","role":"admin"}', 'application/json', 400, 'invalid_body'],
      ['a form', 'email=a', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
      ['an endless body', `{"email":"${'a'.repeat(20_000)}"}`, 'application/json', 413, 'body_too_large'],
    ])('%s', async (_what, body, type, status, code) => {
      const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type }
      const answer = await service.raw('/platform/sign-in', headers, 'POST', body)
      expect([answer.status, answer.error.code]).toEqual([status, code])
    })

    it('other methods and paths', async () => {
      const { status, headers } = await service.raw('/platform/sign-in', {}, 'GET')
      expect([status, headers.allow]).toEqual([405, 'POST'])
      expect((await service.raw('/platform/nowhere', {}, 'GET')).error.code).toBe('not_found')
    })
  })

  describe('the marketplace', () => {
    const put = (id: string, body: object, secret = SECRET) =>
      service.raw(
        `/platform/marketplace/subscriptions/${id}`,
        { authorization: `Bearer ${secret}`, 'content-type': 'application/json', accept: 'application/problem+json' },
        'PUT',
        JSON.stringify(body),
      )
    const end = (id: string) =>
      service.raw(`/platform/marketplace/subscriptions/${id}`, { authorization: `Bearer ${SECRET}` }, 'DELETE')
    const ask = async (key: string) => (await service.raw('/genres', { 'x-market-api-key': key })).status

    it('subscribes, changes the plan and unsubscribes; everything can be said twice', async () => {
      const made = await put('sub-1', { plan: 'pro' })
      expect([made.status, made.body]).toMatchObject([201, { subscription: 'sub-1', state: 'active', plan: 'pro' }])
      const { key } = made.body
      expect(await ask(key)).toBe(200)
      const again = await put('sub-1', { plan: 'pro' })
      expect([again.status, again.body.key, again.body.plan]).toEqual([200, undefined, 'pro'])
      expect((await put('sub-1', { plan: 'mega' })).body.plan).toBe('mega')
      for (let i = 0; i < 2; i++) expect((await end('sub-1')).body.state).toBe('ended')
      expect(await ask(key)).toBe(403)
      expect((await put('sub-1', { plan: 'pro' })).status).toBe(201)
    })

    it('may choose its key, so that a lost response does not lose the key', async () => {
      const key = 'k'.repeat(40)
      expect((await put('sub-2', { plan: 'pro', key })).status).toBe(201)
      const again = await put('sub-2', { plan: 'pro', key })
      expect([again.status, again.text.includes(key)]).toEqual([200, false])
      expect(await ask(key)).toBe(200)
      expect((await put('sub-3', { plan: 'pro', key })).error.code).toBe('conflict')
      await end('sub-2')
      expect((await put('sub-2', { plan: 'pro', key })).status).toBe(201)
      expect(await ask(key)).toBe(200)
    })

    it('does not reset a quota by ending and restarting a subscription, nor with another key', async () => {
      const used = async (key: string) =>
        Number((await service.raw('/genres', { 'x-market-api-key': key })).headers['x-quota-used'])
      const keys = ['q', 'r'].map((letter) => letter.repeat(40)) as [string, string]
      await put('sub-6', { plan: 'pro', key: keys[0] })
      expect([await used(keys[0]), await used(keys[0])]).toEqual([1, 2])
      await end('sub-6')
      await put('sub-6', { plan: 'pro', key: keys[0] })
      expect(await used(keys[0])).toBe(3)
      await put('sub-6', { plan: 'pro', key: keys[1] })
      expect(await used(keys[1])).toBe(4)
    })

    it('proves itself with the secret', async () => {
      for (const secret of ['', 'nonsense', `${SECRET}x`]) {
        expect((await put('sub-4', { plan: 'pro' }, secret)).error.code).toBe('invalid_secret')
      }
      const without = await aTestService()
      const answer = await without.raw('/platform/marketplace/subscriptions/1', { authorization: 'Bearer x' })
      expect(answer.error.code).toBe('not_found')
    })

    it('hears of plans that there are not', async () => {
      const { status, body } = await put('sub-5', { plan: 'gold' })
      expect([status, body.problem, body.detail]).toEqual([400, 'unknown_plan', expect.stringContaining('free, pro')])
    })
  })

  it('admins see the service, accounts and usage, and change plans; others do not', async () => {
    const boss = { email: 'boss@example.com', password: 'boss of everything here' }
    await service.accounts.users.create({ ...boss, role: 'admin', plan: 'unlimited' }, service.act)
    const admin = new Browser(service)
    await admin.send('POST', '/sign-in', boss)
    await service.advance(60)
    const { body: status } = await admin.send('GET', '/operator/status')
    expect(status).toMatchObject({
      at: service.now,
      catalog: { version: 1, shows: 1 },
      sources: [{ name: 'test', lastImport: { mode: 'snapshot', complete: true } }],
      keeper: { lastRunAt: service.now, settledShows: 0, failures: 0 },
    })
    expect(status.places[0].services).toEqual(expect.objectContaining({ netflix: expect.any(Number) }))
    expect(status.services.netflix).toBe('Netflix')
    const { report, isRunning } = (await admin.send('GET', '/operator/checks')).body
    expect([report.shows, report.findings.length, isRunning]).toEqual([1, CHECKS.length, false])
    const { accounts } = (await admin.send('GET', '/operator/accounts')).body
    const ann = accounts.find(({ email }: { email: string }) => email === 'ann@example.com')
    expect((await admin.send('PATCH', `/operator/accounts/${ann.id}`, { plan: 'mega' })).body.plan).toBe('mega')
    expect((await admin.send('GET', '/operator/audit')).body.entries[0]).toMatchObject({
      action: 'account.plan_changed',
    })
    expect((await admin.send('GET', '/operator/usage')).status).toBe(200)
    const developer = await signedIn({ ...ANN, email: 'ida@example.com' })
    for (const path of ['status', 'checks', 'accounts', 'usage', 'audit']) {
      expect((await developer.send('GET', `/operator/${path}`)).error.code).toBe('not_allowed')
    }
  })

  describe('admins manage accounts', async () => {
    const boss = { email: 'chief@example.com', password: 'chief of everything here' }
    const { id: bossId } = await service.accounts.users.create(
      { ...boss, role: 'admin', plan: 'unlimited' },
      service.act,
    )
    const asAdmin = async () => {
      const admin = new Browser(service)
      await admin.send('POST', '/sign-in', boss)
      return admin
    }
    const aDeveloper = async (name: string) => {
      const person = { email: `${name}@example.com`, password: `the password of ${name}` }
      const browser = await signedIn(person)
      const { key, record } = (await browser.send('POST', '/keys', { name: 'app' })).body
      const { id } = service.accounts.admin.require(person.email)
      return { person, browser, key, keyId: record.id, path: `/operator/accounts/${id}` }
    }
    const callWith = async (key: string) => (await service.raw('/v4/genres', { 'x-api-key': key })).status

    it('disables and enables one with its keys, and ends its sessions', async () => {
      const admin = await asAdmin()
      const { browser, person, key, path } = await aDeveloper('dana')
      expect((await admin.send('PATCH', path, { disabled: true })).body.disabledAt).toBe(service.now)
      expect(await callWith(key)).toBe(403)
      expect((await browser.send('GET', '/keys')).error.code).toBe('not_signed_in')
      expect((await browser.send('POST', '/sign-in', person)).error.code).toBe('account_disabled')
      expect((await admin.send('PATCH', path, { disabled: false })).body.disabledAt).toBeUndefined()
      expect(await callWith(key)).toBe(200)
      await browser.send('POST', '/sign-in', person)
      expect((await admin.send('DELETE', `${path}/sessions`)).body).toEqual({ ended: 1 })
      expect((await browser.send('GET', '/keys')).error.code).toBe('not_signed_in')
    })

    it('lets the owner of one set a new password', async () => {
      const admin = await asAdmin()
      const { person, path } = await aDeveloper('ella')
      const { status, body } = await admin.send('POST', `${path}/reset`)
      expect([status, body.endsAt]).toEqual([201, service.now + 86_400])
      const browser = new Browser(service)
      const wanted = { code: body.code, password: 'something else altogether' }
      expect((await browser.send('POST', '/password-reset', wanted)).body.account.email).toBe(person.email)
      expect((await browser.send('GET', '/keys')).status).toBe(200)
      expect((await browser.send('POST', '/password-reset', wanted)).error.code).toBe('reset_needed')
    })

    it('promotes, demotes and deletes others, but not their own account', async () => {
      const admin = await asAdmin()
      const { key, keyId, path } = await aDeveloper('fred')
      expect((await admin.send('PATCH', path, { role: 'admin' })).body.role).toBe('admin')
      expect((await admin.send('PATCH', path, { role: 'developer' })).body.role).toBe('developer')
      expect((await admin.send('GET', path)).body.keys).toHaveLength(1)
      expect((await admin.send('DELETE', `/operator/keys/${keyId}`)).body.revokedAt).toBe(service.now)
      expect(await callWith(key)).toBe(403)
      expect((await admin.send('DELETE', path)).body.account.email).toBe('fred@example.com')
      expect((await admin.send('GET', path)).error.code).toBe('not_found')
      const own = `/operator/accounts/${bossId}`
      expect((await admin.send('PATCH', own, { disabled: true })).error.code).toBe('conflict')
      expect((await admin.send('DELETE', own)).error.code).toBe('conflict')
    })

    it('invites people, and sets and removes plans', async () => {
      const admin = await asAdmin()
      const { status, body } = await admin.send('POST', '/operator/invitations', { email: 'gina@example.com' })
      expect([status, body.code]).toEqual([201, expect.any(String)])
      const limits = { quota: { requests: 5, per: 'day' }, rate: 1 }
      expect((await admin.send('PUT', '/operator/plans/tiny', limits)).body).toEqual({ name: 'tiny', ...limits })
      expect((await admin.send('DELETE', '/operator/plans/tiny')).status).toBe(204)
      expect((await admin.send('DELETE', '/operator/plans/tiny')).error.code).toBe('invalid_body')
    })

    it('is nothing for developers', async () => {
      const { browser, path } = await aDeveloper('hugo')
      for (const [method, to] of [
        ['GET', path],
        ['PATCH', path],
        ['DELETE', path],
        ['POST', `${path}/reset`],
        ['DELETE', `${path}/sessions`],
        ['POST', '/operator/invitations'],
        ['PUT', '/operator/plans/free'],
      ] as const) {
        const body =
          method === 'PATCH' || method === 'PUT' ? {} : to.endsWith('invitations') ? { email: 'x@y' } : undefined
        expect((await browser.send(method, to, body)).error.code).toBe('not_allowed')
      }
    })
  })

  describe('mail', async () => {
    const server = await new MailServer().listen()
    const mailing = await aTestService([], { smtpUrl: server.url, mailFrom: 'Marquee <no-reply@marquee.test>' })
    const forgot = (email: string) => new Browser(mailing).send('POST', '/password-reset-mail', { email })
    const kim = { email: 'kim@example.com', password: 'the password of kim' }
    await mailing.accounts.users.create({ ...kim, role: 'admin', plan: 'unlimited' }, mailing.act)

    it('brings the link that sets a new password, once, and does not say whether there is an account', async () => {
      const [known, unknown] = [await forgot(' Kim@Example.com '), await forgot('nobody@example.com')]
      expect([known.status, known.text]).toEqual([202, '{}'])
      expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
      const { from, to, headers, text } = await server.mail(1)
      expect([from, to]).toEqual(['no-reply@marquee.test', ['kim@example.com']])
      expect(headers).toContain('From: Marquee <no-reply@marquee.test>')
      const [, code] = /https:\/\/marquee\.test\/reset-password#([\w-]+)\s/.exec(text) ?? []
      const browser = new Browser(mailing)
      const wanted = { code, password: 'something else altogether' }
      expect((await browser.send('POST', '/password-reset', wanted)).body.account.email).toBe(kim.email)
      expect((await browser.send('POST', '/password-reset', wanted)).error.code).toBe('reset_needed')
    })

    it('is limited by address and by client, whether there is an account or not', async () => {
      for (let i = 0; i < 2; i++) expect((await forgot('nobody@example.com')).status).toBe(202)
      const refused = await forgot('nobody@example.com')
      expect([refused.error.code, refused.headers['retry-after']]).toEqual(['too_many_attempts', '3600'])
      const statuses = []
      for (let i = 0; i < 7; i++) statuses.push((await forgot(`stranger${i}@example.com`)).status)
      expect(statuses).toEqual([202, 202, 202, 202, 202, 202, 429])
      mailing.now += 3_600
      expect((await forgot('nobody@example.com')).status).toBe(202)
      expect((await forgot('no address')).body.problem).toBe('invalid_email')
    })

    it('brings one link for each account of an address, and none for a disabled one', async () => {
      const { received } = server
      const before = received.length
      const account = await mailing.accounts.users.create(
        { email: kim.email, password: 'another one of kim', role: 'developer', plan: 'free' },
        mailing.act,
      )
      await forgot(kim.email)
      expect((await server.mail(before + 1)).text.match(/reset-password#/g)).toHaveLength(2)
      await mailing.accounts.admin.disable(account.id, mailing.act)
      await forgot(kim.email)
      expect((await server.mail(before + 2)).text.match(/reset-password#/g)).toHaveLength(1)
      await mailing.accounts.admin.delete(account.id, mailing.act)
    })

    it('of an admin brings links and invitations; a server that refuses them is named', async () => {
      const admin = new Browser(mailing)
      await admin.send('POST', '/sign-in', { email: kim.email, password: 'something else altogether' })
      const { id } = mailing.accounts.admin.require(kim.email)
      const before = server.received.length
      const invitation = { email: 'lee@example.com', mail: true }
      const invited = await admin.send('POST', '/operator/invitations', invitation)
      expect([invited.status, invited.body.mailed]).toEqual([201, true])
      expect((await server.mail(before + 1)).text).toContain(`https://marquee.test/sign-up#${invited.body.code}`)
      const sent = await admin.send('POST', `/operator/accounts/${id}/reset-mail`)
      expect(sent.body).toEqual({ email: kim.email, endsAt: mailing.now + 86_400 })
      expect((await server.mail(before + 2)).text).toContain('https://marquee.test/reset-password#')
      server.refusal = 'no such mailbox'
      const problem = expect.stringContaining('no such mailbox')
      expect((await admin.send('POST', '/operator/invitations', invitation)).body).toMatchObject({ problem })
      const failed = await admin.send('POST', `/operator/accounts/${id}/reset-mail`)
      expect([failed.error.code, failed.body.detail]).toEqual(['unavailable', problem])
    })

    it('is not there without a mail server', async () => {
      const browser = new Browser(service)
      expect((await browser.send('GET', '/session')).body.mail).toBeUndefined()
      expect((await new Browser(mailing).send('GET', '/session')).body.mail).toBe(true)
      const answer = await browser.send('POST', '/password-reset-mail', { email: ANN.email })
      expect([answer.error.code, answer.body.detail]).toEqual(['not_found', expect.stringContaining('operator')])
    })
  })

  describe('pages on a host without TLS, to which browsers send no Sec-Fetch-Site', async () => {
    const behindProxy = await aTestService([], { publicOrigin: 'http://films.example:8080' })
    const signIn = (headers: Record<string, string>) =>
      behindProxy.raw(
        '/platform/sign-in',
        { 'content-type': 'application/json', accept: 'application/problem+json', ...headers },
        'POST',
        JSON.stringify(ANN),
      )

    it('are recognised by the host of the request, or by the public address', async () => {
      for (const headers of [
        { origin: 'http://films.example:8080', host: 'films.example:8080' },
        { origin: 'http://films.example:8080', host: 'films.example' },
        { referer: 'http://films.example:8080/sign-in', host: '10.0.0.7' },
        { origin: 'http://10.0.0.7', host: '10.0.0.7' },
      ]) {
        expect((await signIn(headers)).error.code).toBe('sign_in_failed')
      }
    })

    it('are refused with the reason if they are of another host', async () => {
      for (const headers of [
        { origin: 'http://evil.example', host: 'films.example' },
        { origin: 'http://films.example', host: 'films.example:8080' },
        { origin: 'null', host: 'films.example' },
      ]) {
        const { error, body } = await signIn(headers)
        expect([error.code, body.detail]).toEqual(['cross_site_request', expect.stringContaining('MARQUEE_PUBLIC_URL')])
      }
      expect((await signIn({ host: 'films.example' })).error.code).toBe('cross_site_request')
    })
  })

  it('lets people end all their sessions, see what is stored about them, and leave', async () => {
    const person = { email: 'iris@example.com', password: 'the password of iris' }
    const browser = await signedIn(person)
    const elsewhere = await (async () => {
      const other = new Browser(service)
      await other.send('POST', '/sign-in', person)
      return other
    })()
    expect((await browser.send('DELETE', '/sessions')).status).toBe(204)
    expect((await elsewhere.send('GET', '/keys')).error.code).toBe('not_signed_in')
    await browser.send('POST', '/sign-in', person)
    expect((await browser.send('GET', '/account')).body).toMatchObject({ account: { email: person.email }, keys: [] })
    expect((await browser.send('DELETE', '/account', { password: 'not the password' })).error.code).toBe(
      'wrong_password',
    )
    expect((await browser.send('DELETE', '/account', { password: person.password })).status).toBe(204)
    expect((await browser.send('POST', '/sign-in', person)).error.code).toBe('sign_in_failed')
  })

  describe('the visitor token of the web pages', () => {
    const page = { 'sec-fetch-site': 'same-origin' }
    const pass = async () => {
      const { status, headers } = await service.raw('/platform/pass', page, 'POST')
      expect([status, headers['set-cookie']]).toEqual([204, expect.stringMatching(/HttpOnly; SameSite=Lax$/)])
      return String(headers['set-cookie']).split(';')[0] as string
    }

    it('lets pages of the service call the API without a key, with their own rate limit', async () => {
      const cookie = await pass()
      const answer = await service.raw('/v4/genres', { ...page, cookie })
      expect([answer.status, answer.headers['ratelimit-policy']]).toEqual([200, expect.stringContaining('"rate";q=50')])
    })

    it('is of no use to other sites, without a signature, or too late', async () => {
      const cookie = await pass()
      for (const headers of [
        { cookie, 'sec-fetch-site': 'cross-site' },
        { cookie },
        { ...page, cookie: `${cookie}x` },
        { ...page, cookie: 'marquee_pass=99999999999.x.y' },
        page,
      ]) {
        expect((await service.raw('/v4/genres', headers)).error.code).toBe('missing_key')
      }
      expect((await service.raw('/genres', { ...page, cookie })).error.code).toBe('missing_key')
      service.now += 3_601
      expect((await service.raw('/v4/genres', { ...page, cookie })).error.code).toBe('missing_key')
    })

    it('opens what the pages request, and nothing else', async () => {
      const cookie = await pass()
      const answers = async (url: string) => (await service.raw(`/v4${url}`, { ...page, cookie })).error.code ?? 'ok'
      for (const url of [
        '/shows/search/filters?country=us',
        '/shows/search/title?country=us&title=x',
        '/shows/top?country=us&service=netflix',
        '/changes?country=us&change_type=new&item_type=show',
        '/countries/us',
        '/genres?output_language=fr',
        '/shows/1?country=us',
        '/shows/1?series_granularity=show',
        '/shows/1?series_granularity=show&fields=streamingOptions.link',
        '/shows/count?country=us&genres=crime',
        '/people/search?name=x',
      ]) {
        expect([url, await answers(url)]).toEqual([url, 'ok'])
      }
      for (const url of [
        '/shows/search/filters?country=us&series_granularity=episode',
        '/shows/search/title?country=us&title=x&series_granularity=season',
        '/shows/search/filters?country=us&fields=title',
        '/shows/1',
        '/shows/1?country=us&include=history',
        '/shows/1?country=us&include=bestOffer&services=netflix',
        '/shows?ids=1,2,3',
        '/shows/count?country=any',
        '/countries',
      ]) {
        expect([url, await answers(url)]).toEqual([url, 'missing_key'])
      }
    })

    it('has a budget a day for all tokens of a network, which a new token does not renew', async () => {
      const small = await aTestService(aSnapshot(aMovie({ id: '1' })), { visitorQuota: 60 })
      const ask = async () => {
        const { headers } = await small.raw('/platform/pass', page, 'POST')
        return small.raw('/v4/genres', { ...page, cookie: String(headers['set-cookie']).split(';')[0] as string })
      }
      let granted = 0
      for (let i = 0; i < 70; i++) {
        if (i % 40 === 0) small.now++
        if ((await ask()).status === 200) granted++
      }
      const refused = await ask()
      expect([granted, refused.error.code]).toEqual([60, 'quota_exceeded'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      small.now += 86_400
      expect((await ask()).status).toBe(200)
    })
  })
})
