import { expect, test } from 'vitest'
import type { ApiRequest } from '../exchange/exchange.ts'
import { createVisitorTokens, VISITOR_COOKIE } from './visitor-token.ts'

const NOW = 1_000_000

test('visitors are counted by their IPv4 address or their IPv6 network', () => {
  let address = ''
  const tokens = createVisitorTokens('signs tokens', () => address)
  const headers = { 'sec-fetch-site': 'same-origin', cookie: `${VISITOR_COOKIE}=${tokens.issue(NOW)}` }
  const quotaOwnerAt = (from: string) => {
    address = from
    return tokens.find({ headers } as unknown as ApiRequest, NOW)?.quotaOwner
  }
  expect(quotaOwnerAt('192.0.2.1')).not.toBe(quotaOwnerAt('192.0.2.2'))
  expect(quotaOwnerAt('2001:db8:0:1::1')).toBe(quotaOwnerAt('2001:db8:0:1:ffff::2'))
  expect(quotaOwnerAt('2001:db8:0:1::1')).not.toBe(quotaOwnerAt('2001:db8:0:2::1'))
})
