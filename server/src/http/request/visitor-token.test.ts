import { expect, test } from 'vitest'
import type { ApiRequest } from '../exchange/exchange.ts'
import { createVisitorTokens, visitorRateShare } from './visitor-token.ts'

const NOW = 1_000_000

function setUp(secureCookies = false) {
  const client = { address: '192.0.2.1' }
  const tokens = createVisitorTokens({
    secret: 'signs tokens',
    resolveClientAddress: () => client.address,
    secureCookies,
    publicOrigin: undefined,
    requestsPerDay: 100,
  })
  const request = (cookie: string) =>
    ({ headers: { 'sec-fetch-site': 'same-origin', cookie } }) as unknown as ApiRequest
  const open = () => `${tokens.cookie.name}=${tokens.issueForVisit(request(''), NOW).token}`
  const find = (cookie: string, now = NOW) => tokens.find(request(cookie), now)
  return { client, tokens, open, find }
}

test('visitors are counted by their IPv4 address or their IPv6 network', () => {
  const { client, open, find } = setUp()
  const quotaOwnerAt = (from: string) => {
    client.address = from
    return find(open())?.quotaOwner
  }
  expect(quotaOwnerAt('192.0.2.1')).not.toBe(quotaOwnerAt('192.0.2.2'))
  expect(quotaOwnerAt('2001:db8:0:1::1')).toBe(quotaOwnerAt('2001:db8:0:1:ffff::2'))
  expect(quotaOwnerAt('2001:db8:0:1::1')).not.toBe(quotaOwnerAt('2001:db8:0:2::1'))
})

test('a token is of no use in another network, or after an hour', () => {
  const { client, open, find } = setUp()
  const cookie = open()
  expect(find(cookie, NOW + 3_599)).toBeDefined()
  expect(find(cookie, NOW + 3_600)).toBeUndefined()
  client.address = '192.0.2.2'
  expect(find(cookie)).toBeUndefined()
})

test('over TLS only a cookie with the prefix __Host- counts', () => {
  const { tokens, open, find } = setUp(true)
  const cookie = open()
  expect(cookie).toMatch(/^__Host-marquee_pass=/)
  expect(tokens.cookie.serialize('x')).toBe(
    '__Host-marquee_pass=x; Max-Age=3600; Path=/; HttpOnly; Secure; SameSite=Lax',
  )
  expect(find(cookie)).toBeDefined()
  expect(find(cookie.replace('__Host-', ''))).toBeUndefined()
})

test('the shares of all workers together are the rate, unless there are so many that a page view would exceed one', () => {
  for (const workers of [1, 2, 3, 5]) expect(workers * visitorRateShare(workers)(50)).toBeLessThanOrEqual(50)
  expect(visitorRateShare(16)(50)).toBe(10)
})
