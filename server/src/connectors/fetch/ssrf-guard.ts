import { type LookupAddress, promises } from 'node:dns'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import type { Transport } from './api-client.ts'

/** Thrown when a URL cannot be fetched, or must not be; the message says why. */
export class FetchError extends Error {
  override readonly name = 'FetchError'
}

/** IPv4 ranges outside the public internet: loopback, private, link-local, multicast and reserved ones. */
const BLOCKED_IPV4 = [
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

/** The global unicast range of IPv6, and its special-purpose parts such as Teredo, documentation and 6to4. */
const PUBLIC_IPV6 = '2000::/3'
const BLOCKED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const blockedIpv4 = toBlockList('ipv4', BLOCKED_IPV4)
const publicIpv6 = toBlockList('ipv6', [PUBLIC_IPV6])
const blockedIpv6 = toBlockList('ipv6', BLOCKED_IPV6)

function toBlockList(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [net = '', prefix] = range.split('/')
    list.addSubnet(net, Number(prefix), family)
  }
  return list
}

/** Whether an IP address is public. Addresses that embed others, such as 6to4, are not. */
export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return !blockedIpv4.check(address, 'ipv4')
  return publicIpv6.check(address, 'ipv6') && !blockedIpv6.check(address, 'ipv6')
}

/** Resolves a host name to its addresses. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>

const resolveWithSystem: ResolveHost = (host) => promises.lookup(host, { all: true })

/** The setting that allows private addresses, as errors name it. */
type PrivacySetting = 'MARQUEE_PRIVATE_SOURCES' | 'MARQUEE_PRIVATE_WEBHOOKS'

/** Throws if a host is an IP literal that is not public. */
export function checkHostLiteral(host: string, setting: PrivacySetting = 'MARQUEE_PRIVATE_SOURCES'): void {
  const address = host.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw privateAddressError(host, address, setting)
}

/**
 * A DNS lookup for `net.connect` that rejects private addresses. The socket connects to the address that was checked,
 * so DNS rebinding has no effect.
 */
export function createCheckedLookup(
  resolve: ResolveHost = resolveWithSystem,
  setting: PrivacySetting = 'MARQUEE_PRIVATE_SOURCES',
): LookupFunction {
  return (host, options, done) => {
    const finish = (addresses: readonly LookupAddress[]) => {
      const [first] = addresses
      if (first === undefined) done(new FetchError(`${host} has no address`), '', 0)
      else if (options.all === true) done(null, [...addresses])
      else done(null, first.address, first.family)
    }
    resolve(host)
      .then((addresses) => {
        const blocked = addresses.find(({ address }) => !isPublicAddress(address))
        // One private address among public ones is rejected too.
        if (blocked !== undefined) throw privateAddressError(host, blocked.address, setting)
        return addresses
      })
      .then(finish, (error: Error) => done(error, '', 0))
  }
}

function privateAddressError(host: string, address: string, setting: PrivacySetting): FetchError {
  return new FetchError(`${host} is at ${address}, which is no public address. If it is meant, set ${setting}=allow.`)
}

interface GuardOptions {
  /** Whether private addresses and plain HTTP are allowed. */
  readonly allowPrivate: boolean
  /** Replaces the system's DNS in tests. */
  readonly resolve?: ResolveHost
}

/**
 * A transport that checks addresses as downloads do, for APIs whose address comes from `sources.json`. `fetch` offers no
 * hook between the resolution of a name and the connection, so this one uses `node:https`.
 */
export function createGuardedTransport({ allowPrivate, resolve }: GuardOptions): Transport {
  const agent = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }
  const guard = allowPrivate ? {} : { lookup: createCheckedLookup(resolve) }
  return async (url, { headers, signal }) => {
    const isSecure = url.protocol === 'https:'
    if (!isSecure && !allowPrivate) throw new FetchError(`${url.origin} is no https:// address`)
    if (!allowPrivate) checkHostLiteral(url.hostname)
    const options = { headers: { ...headers, 'accept-encoding': 'gzip, br' }, signal, ...guard }
    try {
      const message = await new Promise<IncomingMessage>((done, fail) => {
        const request = isSecure
          ? httpsRequest(url, { ...options, agent: agent.https }, done)
          : httpRequest(url, { ...options, agent: agent.http }, done)
        request.on('error', fail)
        request.end()
      })
      return toResponse(message, signal)
    } catch (error) {
      throw error instanceof FetchError ? error : toFetchError(error, signal, 'fetch failed')
    }
  }
}

/** Statuses whose responses have no body. */
const EMPTY_STATUSES = new Set([204, 304])

function toResponse(message: IncomingMessage, signal: AbortSignal): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = message
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers.set(name, String(value))
  }
  if (EMPTY_STATUSES.has(status)) {
    message.resume()
    return new Response(null, { status, statusText, headers })
  }
  const body = Readable.toWeb(Readable.from(readBody(message, signal))) as ReadableStream
  return new Response(body, { status, statusText, headers })
}

async function* readBody(message: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
  const encoding = message.headers['content-encoding']
  const decoder = encoding === 'gzip' ? createGunzip() : encoding === 'br' ? createBrotliDecompress() : undefined
  message.on('error', (error) => decoder?.destroy(error))
  try {
    yield* decoder === undefined ? message : message.pipe(decoder)
  } catch (error) {
    throw toFetchError(error, signal, 'terminated')
  } finally {
    message.destroy()
  }
}

/** An error as `fetch` throws it: the reason of the abort, or a `TypeError` with the cause. */
function toFetchError(error: unknown, signal: AbortSignal, message: string): unknown {
  return signal.aborted ? signal.reason : new TypeError(message, { cause: error })
}
