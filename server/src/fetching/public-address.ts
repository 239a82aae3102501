import { BlockList, isIPv6 } from 'node:net'

/** Ranges that are not of the public internet: this machine, private networks, links, and what is set aside. */
const RANGES = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** The only part of IPv6 that is given out to the public, and what within it leads elsewhere. */
const PUBLIC_IPV6 = '2000::/3'
const RANGES_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const closed = listOf('ipv4', RANGES)
const open6 = listOf('ipv6', [PUBLIC_IPV6])
const closed6 = listOf('ipv6', RANGES_IPV6)

function listOf(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [net = '', prefix] = range.split('/')
    list.addSubnet(net, Number(prefix), family)
  }
  return list
}

/** Whether an IP address is one of the public internet. Addresses that stand for others, such as 6to4, are not. */
export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return !closed.check(address, 'ipv4')
  return open6.check(address, 'ipv6') && !closed6.check(address, 'ipv6')
}
