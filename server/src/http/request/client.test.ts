import { expect, test } from 'vitest'
import type { ApiRequest } from '../exchange/exchange.ts'
import { clientNetwork, createClientAddressResolver } from './client.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3::', '2001:db8:1:2::/64'],
  ['64:ff9b:1:2:3:4:192.0.2.7', '64:ff9b:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
  ['unknown', 'unknown'],
])('%s is counted as %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network)
})

const resolve = createClientAddressResolver(['10.0.0.1'])
const forwarded = (value: string, remoteAddress = '10.0.0.1') =>
  ({ headers: { 'x-forwarded-for': value }, socket: { remoteAddress } }) as unknown as ApiRequest

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['203.0.113.5, 192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:4711', '192.0.2.7'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
])('a trusted proxy forwards %s for %s', (header, address) => {
  expect(resolve(forwarded(header))).toBe(address)
})

test.each(['unknown', 'x'.repeat(8_000), `192.0.2.7${'0'.repeat(2_000)}`, '192.0.2.7:', '[]', '256.1.1.1'])(
  'what is no address is refused, however long: %.20s',
  (header) => {
    expect(() => resolve(forwarded(header))).toThrow(/^The header X-Forwarded-For has .{3,90} where/)
  },
)

test('what others forward is ignored', () => {
  expect(resolve(forwarded('unknown', '192.0.2.8'))).toBe('192.0.2.8')
})
