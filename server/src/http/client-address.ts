import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { ApiRequest } from './exchange.ts'

/** Where a request comes from: the peer, or, behind trusted proxies, what they say of it. */
export type ClientAddress = (req: ApiRequest) => string

/** Addresses and networks of proxies whose `X-Forwarded-For` is believed; `loopback` and the like name usual ones. */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return (req) => req.socket.remoteAddress ?? ''
  const trusts = proxyAddr.compile([...trustedProxies])
  // It reads no more of a request than its headers and its socket.
  return (req) => proxyAddr(req as IncomingMessage, trusts)
}
