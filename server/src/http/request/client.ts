import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import { parse, serialize } from 'cookie'
import type { ApiRequest } from '../exchange/exchange.ts'

/** The client's address: that of the peer or, behind trusted proxies, the one in `X-Forwarded-For`. */
export type ResolveClientAddress = (req: ApiRequest) => string

/** `trustedProxies` are addresses, networks, or names such as `loopback` for well-known networks. */
export function createClientAddressResolver(trustedProxies: readonly string[]): ResolveClientAddress {
  if (trustedProxies.length === 0) return (req) => req.socket.remoteAddress ?? ''
  const trusts = proxyAddr.compile([...trustedProxies])
  // proxyAddr only reads the headers and the socket.
  return (req) => proxyAddr(req as IncomingMessage, trusts)
}

/** The groups of an IPv6 address that identify the network; a client chooses the others freely. */
const IPV6_NETWORK_GROUPS = 4

/**
 * The key of a client in rate limits: its IPv4 address, or the /64 network of its IPv6 address. A household has at
 * least one whole /64 network.
 */
export function clientNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const groups = parseIPv6Groups(address).slice(0, IPV6_NETWORK_GROUPS)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** The eight groups of an IPv6 address; a tail in IPv4 notation counts as two groups. */
function parseIPv6Groups(address: string): string[] {
  const [head = [], tail = []] = address
    .replace(/%.*$/, '')
    .replace(/\d+\.\d+\.\d+\.\d+$/, '0:0')
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}

/**
 * A cookie of the service: HttpOnly, SameSite=Lax, for the whole host. Over TLS it is `Secure`, and its name has the
 * prefix `__Host-`: browsers then accept it from this very host only, not from a sibling domain or over plain HTTP.
 */
export class ServiceCookie {
  /** The name as browsers see it. */
  readonly name: string
  private readonly secure: boolean
  private readonly seconds: number

  constructor(name: string, { seconds, secure }: { readonly seconds: number; readonly secure: boolean }) {
    this.name = secure ? `__Host-${name}` : name
    this.secure = secure
    this.seconds = seconds
  }

  /** The value in a `Cookie` header. */
  parse(header: string | undefined): string | undefined {
    return header === undefined ? undefined : parse(header)[this.name]
  }

  /** The `Set-Cookie` value that sets the cookie, or deletes it. */
  serialize(value: string | undefined): string {
    const maxAge = value === undefined ? 0 : this.seconds
    const { name, secure } = this
    return serialize(name, value ?? '', { path: '/', httpOnly: true, sameSite: 'lax', maxAge, secure })
  }
}

/**
 * Whether a page of this host makes the request. Browsers send `Sec-Fetch-Site`, except to hosts without TLS; there
 * `Origin` or `Referer` must name this host.
 */
export function isSameOrigin({ headers }: Pick<ApiRequest, 'headers'>): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const from = headers.origin ?? headers.referer
  return from !== undefined && URL.canParse(from) && new URL(from).host === headers.host?.toLowerCase()
}
