import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import { parse, serialize } from 'cookie'
import { ApiError, quoteValue } from '../exchange/errors.ts'
import type { ApiRequest } from '../exchange/exchange.ts'

/** The client's address: that of the peer or, behind trusted proxies, the one in `X-Forwarded-For`. */
export type ResolveClientAddress = (req: ApiRequest) => string

/** Whether an address is one of the proxies: addresses, networks, or names such as `loopback` for well-known networks. */
export function createProxyTrust(trustedProxies: readonly string[]): (address: string) => boolean {
  if (trustedProxies.length === 0) return () => false
  const trusts = proxyAddr.compile([...trustedProxies])
  return (address) => trusts(address, 0)
}

/** Creates the resolver. It throws if the proxies forward something that is not an address. */
export function createClientAddressResolver(trustedProxies: readonly string[]): ResolveClientAddress {
  if (trustedProxies.length === 0) return (req) => req.socket.remoteAddress ?? ''
  const trusts = createProxyTrust(trustedProxies)
  return (req) => {
    // proxyAddr only reads the headers and the socket.
    const forwarded = proxyAddr(req as IncomingMessage, trusts)
    const address = forwarded.length > MAX_FORWARDED_LENGTH ? '' : removePort(forwarded)
    // A connection that has closed has no address.
    if (isIP(address) !== 0 || req.socket.remoteAddress === undefined) return address
    const message = `The header X-Forwarded-For has ${quoteValue(forwarded)} where a client's IP address is expected.`
    throw new ApiError('malformed_request', message)
  }
}

/** Creates a function that gives the client network of a request; that of the peer if the client's address is unusable. */
export function createNetworkResolver(
  resolveAddress: ResolveClientAddress = ({ socket }) => socket.remoteAddress ?? '',
): (req: ApiRequest) => string {
  return (req) => {
    try {
      return clientNetwork(resolveAddress(req))
    } catch {
      return clientNetwork(req.socket.remoteAddress ?? '')
    }
  }
}

/** Room for an IPv6 address with its zone and a port. */
const MAX_FORWARDED_LENGTH = 128

/** An address without its port, which some proxies add: `192.0.2.1:1234`, `[2001:db8::1]:1234`. */
function removePort(address: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
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
 * Whether a page of this service makes the request. Browsers send `Sec-Fetch-Site`, except to hosts without TLS; there
 * `Origin` or `Referer` must name the host of the request, or the public origin: a proxy may change `Host`.
 */
export function isSameOrigin({ headers }: Pick<ApiRequest, 'headers'>, publicOrigin: string | undefined): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const from = headers.origin ?? headers.referer
  if (from === undefined || !URL.canParse(from)) return false
  const { host, origin } = new URL(from)
  return host === headers.host?.toLowerCase() || origin === publicOrigin
}

/** Throws unless an `Authorization` header holds a shared secret as a bearer token (RFC 6750). */
export function checkBearerToken(authorization: string | undefined, secret: string): void {
  const [scheme = '', given = ''] = (authorization ?? '').split(' ', 2)
  if (scheme.toLowerCase() === 'bearer' && isEqualConstantTime(given, secret)) return
  throw new ApiError('invalid_secret', 'The header Authorization must be "Bearer", a space and the shared secret.', {
    headers: ['WWW-Authenticate', 'Bearer realm="marquee"'],
  })
}

/** Compares in constant time. */
export function isEqualConstantTime(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}
