import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { createSourceFetch, type FetchOptions, fetchFile, tryFetch } from './fetch-file.ts'

const options: FetchOptions = { allowPrivate: true, maxBytes: 1 << 20, timeoutMs: 10_000 }

/** Starts a server for the test; returns its URL. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const target = () => join(temporaryFolder(), 'file')

test('the body is saved, and validators make the next request conditional', async () => {
  const address = await serve((request, response) => {
    if (request.headers['if-none-match'] === '"one"') response.writeHead(304).end()
    else response.writeHead(200, { etag: '"one"', 'last-modified': 'Sun, 15 Mar 2026 12:00:00 GMT' }).end('feed')
  })
  const file = target()
  const first = await fetchFile(address, file, options)
  const validators = { etag: '"one"', lastModified: 'Sun, 15 Mar 2026 12:00:00 GMT' }
  expect(first).toEqual({ unchanged: false, bytes: 4, validators })
  expect(readFileSync(file, 'utf8')).toBe('feed')
  expect(await fetchFile(address, file, { ...options, validators })).toEqual({ unchanged: true })
})

test('at most five redirects are followed', async () => {
  const address = await serve((request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end('here')
    else response.writeHead(302, { location: `/${left - 1}` }).end()
  })
  expect(await fetchFile(`${address}/5`, target(), options)).toMatchObject({ bytes: 4 })
  await expect(fetchFile(`${address}/6`, target(), options)).rejects.toThrow(/redirects more than 5 times/)
})

test.each([
  ['http://127.0.0.1/feed', /no https:\/\/ address/],
  ['https://127.0.0.1/feed', /127\.0\.0\.1, which is no public address/],
  ['https://127.1/feed', /127\.0\.0\.1, which is no public address/],
  ['https://0x7f000001/feed', /127\.0\.0\.1, which is no public address/],
  ['https://[::1]/feed', /no public address/],
  ['https://[::ffff:10.0.0.1]/feed', /no public address/],
  ['https://localhost/feed', /no public address/],
  ['file:///etc/passwd', /no https:\/\/ address/],
])('%s is refused unless private addresses are allowed', async (address, message) => {
  await expect(fetchFile(address, target(), { ...options, allowPrivate: false })).rejects.toThrow(message)
})

test('a name is refused if one of its addresses is private', async () => {
  let lookups = 0
  const resolve = async () => {
    lookups++
    return [
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ]
  }
  const fetching = fetchFile('https://feeds.example/a', target(), { ...options, allowPrivate: false, resolve })
  await expect(fetching).rejects.toThrow(/feeds\.example is at 10\.0\.0\.7, which is no public address/)
  // The connection uses the address that was checked: there is no second lookup.
  expect(lookups).toBe(1)
})

test('a file over the limit is aborted, with or without a content length', async () => {
  const address = await serve((request, response) => {
    if (request.url === '/declared') response.writeHead(200, { 'content-length': String(2 << 20) })
    for (let i = 0; i < 32; i++) response.write(Buffer.alloc(1 << 16))
    response.end()
  })
  await expect(fetchFile(`${address}/declared`, target(), options)).rejects.toThrow(/more than 1048576 bytes/)
  await expect(fetchFile(`${address}/undeclared`, target(), options)).rejects.toThrow(/more than 1048576 bytes/)
})

test('the files of one source share its limit', async () => {
  const address = await serve((_request, response) => response.end(Buffer.alloc(400 * 1024)))
  const fetchFromSource = createSourceFetch(options)
  for (let i = 0; i < 2; i++) await fetchFromSource(`${address}/${i}`, target(), options)
  await expect(fetchFromSource(`${address}/2`, target(), options)).rejects.toThrow(/more than 229376 bytes/)
  await createSourceFetch(options)(`${address}/3`, target(), options)
})

test('a truncated body, a body that never ends and an error status are errors', async () => {
  const address = await serve((request, response) => {
    if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.destroy())
    } else if (request.url === '/drip') {
      const timer = setInterval(() => response.write('.'), 5)
      response.on('close', () => clearInterval(timer))
    } else response.writeHead(503, 'Not Now').end()
  })
  await expect(fetchFile(`${address}/cut`, target(), options)).rejects.toThrow(/cannot be fetched/)
  const short = { ...options, timeoutMs: 100 }
  await expect(fetchFile(`${address}/drip`, target(), short)).rejects.toThrow(/took longer than 0\.1 seconds/)
  await expect(fetchFile(`${address}/other?key=secret`, target(), options)).rejects.toThrow(
    /\/other answered 503 Not Now$/,
  )
})

test('headers are sent to the origin of the address, and to no other one', async () => {
  const seen: (string | undefined)[] = []
  const other = await serve((request, response) => {
    seen.push(request.headers.authorization)
    response.end('feed')
  })
  const address = await serve((request, response) => {
    seen.push(request.headers.authorization)
    if (request.url === '/') response.writeHead(302, { location: '/again' }).end()
    else response.writeHead(302, { location: other }).end()
  })
  await fetchFile(address, target(), { ...options, headers: { authorization: 'Bearer secret' } })
  expect(seen).toEqual(['Bearer secret', 'Bearer secret', undefined])
})

test.each(['<!DOCTYPE html><title>Sign in</title>', '\n <html lang="en"><body>', '\ufeff<!doctype html>'])(
  'a web page is named as such, not saved as a feed: %j',
  async (page) => {
    const address = await serve((_, response) => void response.end(page))
    await expect(fetchFile(address, target(), options)).rejects.toThrow('it is a web page (HTML), no feed')
    await expect(tryFetch(address, options)).rejects.toThrow('it is a web page (HTML), no feed')
  },
)

test('an address is tried without reading all of it', async () => {
  let closed = false
  const address = await serve((request, response) => {
    request.on('close', () => {
      closed = true
    })
    response.writeHead(200, { 'content-length': 1 << 19 })
    response.write('{"kind":"feed"}')
  })
  expect(await tryFetch(address, options)).toBe(1 << 19)
  await expect.poll(() => closed).toBe(true)
  await expect(tryFetch(address, { ...options, maxBytes: 100 })).rejects.toThrow('more than 100 bytes')
})
