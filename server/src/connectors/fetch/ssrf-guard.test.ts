import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createGuardedTransport, isPublicAddress } from './ssrf-guard.ts'

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

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path`)
}

const init = () => ({ headers: { accept: 'application/json' }, signal: AbortSignal.timeout(10_000) })
const open = createGuardedTransport({ allowPrivate: true })

test('plain HTTP and private addresses are refused, also behind a name', async () => {
  const resolve = async () => [{ address: '10.0.0.7', family: 4 }]
  const guarded = createGuardedTransport({ allowPrivate: false, resolve })
  await expect(guarded(new URL('http://api.example/v4'), init())).rejects.toThrow('is no https:// address')
  await expect(guarded(new URL('https://127.0.0.1/v4'), init())).rejects.toThrow('which is no public address')
  await expect(guarded(new URL('https://api.example/v4'), init())).rejects.toThrow('10.0.0.7, which is no public')
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
] as const)('a body in %s is decoded', async (encoding, compress) => {
  const url = await serve((_, response) =>
    response.writeHead(200, { 'content-encoding': encoding, etag: '"1"' }).end(compress('{"a":1}')),
  )
  const response = await open(url, init())
  expect([response.status, response.headers.get('etag'), await response.json()]).toEqual([200, '"1"', { a: 1 }])
})

test('status 304 has no body, and a redirect is not followed', async () => {
  const url = await serve((request, response) =>
    request.url === '/path' ? response.writeHead(304).end() : response.writeHead(302, { location: '/path' }).end(),
  )
  expect((await open(url, init())).status).toBe(304)
  expect((await open(new URL('/other', url), init())).status).toBe(302)
})

test('a connection that breaks is reported as fetch reports it', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{', () => response.destroy())
  })
  const response = await open(url, init())
  await expect(response.text()).rejects.toThrow('terminated')
  await expect(open(new URL('http://127.0.0.1:1/'), init())).rejects.toThrow('fetch failed')
})

test('a body that never ends is aborted by the signal', async () => {
  const url = await serve((_, response) => void response.writeHead(200).write('{'))
  const response = await open(url, { headers: {}, signal: AbortSignal.timeout(100) })
  await expect(response.text()).rejects.toMatchObject({ name: 'TimeoutError' })
})
