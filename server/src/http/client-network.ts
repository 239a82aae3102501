import { isIPv6 } from 'node:net'

/** Groups of an IPv6 address that are the network's; behind them a client can choose whatever it likes. */
const NETWORK_GROUPS = 4

/**
 * What limits count a client by: its IPv4 address, or the /64 network that its IPv6 address is in. A household has at
 * least one such network to itself, with more addresses than can be counted.
 */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const groups = groupsOf(address).slice(0, NETWORK_GROUPS)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** The eight groups of an IPv6 address; a tail that is written as an IPv4 address stands for two. */
function groupsOf(address: string): string[] {
  const [head = [], tail = []] = address
    .replace(/%.*$/, '')
    .replace(/\d+\.\d+\.\d+\.\d+$/, '0:0')
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}
