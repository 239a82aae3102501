import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { areAlike } from '../support/campaigns/fuzz-campaign.ts'
import { type RawAnswer, RawConnection } from '../support/campaigns/raw-client.ts'
import { RequestGenerator } from '../support/campaigns/request-generator.ts'
import { runFactor, seedOffset } from '../support/property-runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

/** Requests that may wait for more input are left to the campaign. */
const COMPLETE_KINDS = new Set(['endpoint', 'page', 'method', 'long'])
const WAITS_FOR_BODY = /\r\n(?:transfer-encoding|expect):/i

// The short form of `scripts/fuzz-requests.mjs --differential`.
test('generated requests get the same answers on the fast path and from a plain Node server, and never 500', async () => {
  const service = await TestService.open(temporaryFolder(afterAll))
  await service.import(aSnapshot(...Array.from({ length: 30 }, (_, i) => aMovie({ id: String(i + 1) }))))
  const { server } = service.app
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const plain = createServer({ requireHostHeader: false, maxHeaderSize: 32 * 1024 })
  plain.keepAliveTimeout = server.keepAliveTimeout
  for (const event of ['request', 'checkExpectation', 'connect', 'clientError'])
    plain.on(event, (...args: unknown[]) => server.emit(event, ...args))
  await once(plain.listen(0, '127.0.0.1'), 'listening')
  const ports = [server, plain].map((one) => (one.address() as AddressInfo).port)

  const keys = [`X-API-Key: ${service.directKey}`, `X-Market-API-Key: ${service.marketplaceKey}`]
  const generator = new RequestGenerator(1 + seedOffset, keys)
  const seen = new Map<number, number>()
  for (let i = 0; i < 150 * runFactor; ) {
    const request = generator.next()
    const [text = ''] = request.chunks
    if (!COMPLETE_KINDS.has(request.kind) || WAITS_FOR_BODY.test(text)) continue
    i++
    const answers: RawAnswer[] = []
    for (const port of ports) {
      const connection = new RawConnection(port)
      answers.push(await connection.exchange({ ...request, patienceMs: 60_000 }))
      connection.reset()
    }
    const [status = 0] = answers.flatMap(({ responses }) => responses.map((response) => response.status))
    expect(status, text).not.toBe(500)
    if (!areAlike(answers)) expect([text, answers[0]]).toEqual([text, answers[1]])
    seen.set(status, (seen.get(status) ?? 0) + 1)
  }
  plain.closeAllConnections()
  plain.close()
  await service.close()
  for (const status of [200, 400, 401, 404, 405])
    expect([status, seen.get(status)]).toEqual([status, expect.any(Number)])
})
