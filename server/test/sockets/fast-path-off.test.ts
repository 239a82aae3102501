import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

/** The requests that reach Node's server, and the response to a simple request. */
async function serve(fastPath: 'on' | 'off') {
  const service = await TestService.open(temporaryFolder(afterAll), { fastPath })
  await service.import(aSnapshot(aMovie({ id: '1', title: 'First' })))
  let nodeRequests = 0
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  service.app.server.on('request', () => nodeRequests++)
  const { port } = service.app.server.address() as AddressInfo
  const headers = { 'x-api-key': service.directKey, 'x-request-id': 'same', 'accept-encoding': 'identity' }
  const response = await fetch(`http://127.0.0.1:${port}/v4/shows/1?country=us`, { headers })
  const body = await response.text()
  const { date: _date, etag: _etag, ...rest } = Object.fromEntries(response.headers)
  await service.close()
  return { nodeRequests, response: { status: response.status, headers: rest, body } }
}

test('MARQUEE_FAST_PATH=off leaves every request to Node’s server, with the same response', async () => {
  const on = await serve('on')
  const off = await serve('off')
  expect([on.nodeRequests, off.nodeRequests]).toEqual([0, 1])
  expect(off.response).toEqual(on.response)
})
