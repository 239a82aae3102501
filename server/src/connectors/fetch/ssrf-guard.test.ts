import { expect, test } from 'vitest'
import { isPublicAddress } from './ssrf-guard.ts'

test.each([
  '127.0.0.1',
  '127.255.0.9',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
  '2001::1',
  '2002:7f00:1::',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '172.15.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::5'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)
