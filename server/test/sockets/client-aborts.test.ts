import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import pino from 'pino'
import { afterAll, expect, test } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const key = (service: TestService) => `X-API-Key: ${service.directKey}\r\n`

test.each(['on', 'off'] as const)('clients that go away are not errors in the log (fast path %s)', async (fastPath) => {
  const output = new PassThrough()
  let log = ''
  output.on('data', (data: Buffer) => {
    log += data.toString()
  })
  const logger = pino({ level: 'info' }, output)
  const service = await TestService.open(temporaryFolder(afterAll), { fastPath, logger })
  await service.import(aSnapshot(...Array.from({ length: 50 }, (_, i) => aMovie({ id: String(i + 1) }))))
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { server } = service.app
  const { port } = server.address() as AddressInfo
  const requests = [
    'POST /platform/sign-in HTTP/1.1\r\nHost: a\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"em',
    'GET /browse HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n',
    `GET /v4/shows/search/filters?country=us HTTP/1.1\r\nHost: a\r\n${key(service)}\r\n`,
    `GET /v4/catalog/export?country=us HTTP/1.1\r\nHost: a\r\n${key(service)}\r\n`,
    `GET /v4/catalog/export?country=us HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n${key(service)}\r\n`,
    'GET /v4/genres HTTP/1.1\r\nHost: a\r\nX-Half: ',
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  ]
  for (const text of requests) {
    const isComplete = text.startsWith('GET') && text.endsWith('\r\n\r\n')
    for (const waits of isComplete ? [false, true] : [false]) {
      const opened = once(server, 'connection')
      const client = connect(port, '127.0.0.1', () => client.write(text))
      client.on('error', () => {})
      const [socket] = await opened
      const closed = new Promise((resolve) => socket.once('close', resolve))
      // Once as soon as the server has read something, once in the middle of the response.
      if (waits) await once(client, 'data')
      else while (socket.bytesRead === 0 && !socket.destroyed) await new Promise(setImmediate)
      client.resetAndDestroy()
      await closed
    }
  }
  // The service still answers, and the handlers of the requests before have ended.
  const response = await fetch(`http://127.0.0.1:${port}/browse`)
  expect(response.status).toBe(200)
  await response.text()
  await service.close()
  expect(log.split('\n').filter((line) => /"level":[5-6]0|request_failed/.test(line))).toEqual([])
})
