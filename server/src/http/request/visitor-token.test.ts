import { expect, test } from 'vitest'
import type { ApiRequest } from './exchange.ts'
import { createVisitorTokens, VISITOR_COOKIE } from './visitor-token.ts'

const NOW = 1_000_000

test('viewers are counted by their address, and by their network where they can choose addresses', () => {
  let address = ''
  const passes = createVisitorTokens('signs passes', () => address)
  const headers = { 'sec-fetch-site': 'same-origin', cookie: `${VISITOR_COOKIE}=${passes.issue(NOW)}` }
  const countedAt = (from: string) => {
    address = from
    return passes.find({ headers } as unknown as ApiRequest, NOW)?.quotaOwner
  }
  expect(countedAt('192.0.2.1')).not.toBe(countedAt('192.0.2.2'))
  expect(countedAt('2001:db8:0:1::1')).toBe(countedAt('2001:db8:0:1:ffff::2'))
  expect(countedAt('2001:db8:0:1::1')).not.toBe(countedAt('2001:db8:0:2::1'))
})
