import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import { parse, serialize } from 'cookie'
import type { ApiRequest } from './exchange.ts'

/** Where a request comes from: the peer, or, behind trusted proxies, what they say of it. */
export type ResolveClientAddress = (req: ApiRequest) => string

/** Addresses and networks of proxies whose `X-Forwarded-For` is believed; `loopback` and the like name usual ones. */
export function createClientAddressResolver(trustedProxies: readonly string[]): ResolveClientAddress {
  if (trustedProxies.length === 0) return (req) => req.socket.remoteAddress ?? ''
  const trusts = proxyAddr.compile([...trustedProxies])
  // It reads no more of a request than its headers and its socket.
  return (req) => proxyAddr(req as IncomingMessage, trusts)
}

/** Groups of an IPv6 address that are the network's; behind them a client can choose whatever it likes. */
const IPV6_NETWORK_GROUPS = 4

/**
 * What limits count a client by: its IPv4 address, or the /64 network that its IPv6 address is in. A household has at
 * least one such network to itself, with more addresses than can be counted.
 */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const groups = parseIPv6Groups(address).slice(0, IPV6_NETWORK_GROUPS)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** The eight groups of an IPv6 address; a tail that is written as an IPv4 address stands for two. */
function parseIPv6Groups(address: string): string[] {
  const [head = [], tail = []] = address
    .replace(/%.*$/, '')
    .replace(/\d+\.\d+\.\d+\.\d+$/, '0:0')
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}

/** One cookie of a request. */
export function parseCookie(header: string | undefined, name: string): string | undefined {
  return header === undefined ? undefined : parse(header)[name]
}

/** A cookie that scripts cannot read and other sites cannot send; `seconds` of 0 takes it away. */
export function serializeCookie(
  name: string,
  value: string,
  { seconds, secure }: { readonly seconds: number; readonly secure: boolean },
): string {
  return serialize(name, value, { path: '/', httpOnly: true, sameSite: 'lax', maxAge: seconds, secure })
}

/**
 * Whether a page of this very host makes the request. Browsers say so themselves; where they do not, on hosts without
 * encryption, the origin or the referrer must name this host.
 */
export function isSameOrigin({ headers }: Pick<ApiRequest, 'headers'>): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const from = headers.origin ?? headers.referer
  return from !== undefined && URL.canParse(from) && new URL(from).host === headers.host?.toLowerCase()
}
