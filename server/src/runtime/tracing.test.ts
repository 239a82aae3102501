import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { aMovie, aSnapshot } from '../../test/support/builders.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { TestService } from '../../test/support/test-service.ts'
import { createTraceObserver } from '../http/response/response-observer.ts'
import { setSpanSink, traced } from '../lib/spans.ts'
import { openTracing } from './tracing.ts'

/** A span as a collector gets it (OTLP, JSON). */
interface SentSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code?: number }
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
}

/** A collector of the loopback; `spans` are those that it has got, in the order of their ends. */
async function aCollector(): Promise<{
  readonly address: string
  readonly spans: SentSpan[]
  readonly paths: string[]
}> {
  const spans: SentSpan[] = []
  const paths: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    paths.push(`${request.method} ${request.url} ${request.headers['content-type']}`)
    for (const { scopeSpans } of JSON.parse(body).resourceSpans) for (const one of scopeSpans) spans.push(...one.spans)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, paths }
}

function readAttributes({ attributes }: SentSpan): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

test('an import is a span with its phases in it, and a request is one after it was answered', async () => {
  const collector = await aCollector()
  const tracing = await openTracing(`${collector.address}/`, '1.2.3')
  setSpanSink(tracing)
  onTestFinished(() => setSpanSink(undefined))
  const service = await TestService.open(temporaryFolder())
  await service.import(aSnapshot(aMovie({ id: '1' })))
  await service.import(aSnapshot(aMovie({ id: '1', title: 'Another title' })))
  createTraceObserver(tracing).onResponse('getShow', 503, 12.5, undefined, undefined, '/v4/shows/1', 'request-1')
  await tracing.close()
  expect(collector.paths).toEqual(['POST /v1/traces application/json'])
  expect(collector.spans.map(({ name }) => name)).toEqual([
    'import importing',
    'import',
    'import checking',
    'import importing',
    'import',
    'getShow',
  ])
  const [, , checking, importing, whole, request] = collector.spans as [
    SentSpan,
    SentSpan,
    SentSpan,
    SentSpan,
    SentSpan,
    SentSpan,
  ]
  for (const phase of [checking, importing]) {
    expect(phase).toMatchObject({ traceId: whole.traceId, parentSpanId: whole.spanId, kind: 1 })
    expect(readAttributes(phase)).toEqual({ 'marquee.shows': 1, 'marquee.complete': true })
  }
  expect(whole.parentSpanId).toBeUndefined()
  expect(readAttributes(whole)).toMatchObject({ 'marquee.mode': 'snapshot', 'marquee.shows.altered': 1 })
  expect(request).toMatchObject({ kind: 2, status: { code: 2 } })
  expect(readAttributes(request)).toEqual({ 'http.route': 'getShow', 'http.response.status_code': 503 })
  expect(Number(BigInt(request.endTimeUnixNano) - BigInt(request.startTimeUnixNano)) / 1e6).toBeCloseTo(12.5, 0)
})

test('work that fails is a failed span, and its error goes on', async () => {
  const collector = await aCollector()
  const tracing = await openTracing(collector.address, '1.2.3')
  setSpanSink(tracing)
  onTestFinished(() => setSpanSink(undefined))
  const work = traced(
    'work',
    () => ({}),
    () => Promise.reject(new RangeError('no')),
  )
  await expect(work).rejects.toThrow('no')
  await tracing.close()
  expect(collector.spans).toMatchObject([{ name: 'work', status: { code: 2 } }])
  expect(readAttributes(collector.spans[0] as SentSpan)).toEqual({ 'error.type': 'RangeError' })
})

test('without a sink, work is called plainly', async () => {
  expect(
    await traced(
      'work',
      () => expect.fail('nothing is described'),
      async () => 7,
    ),
  ).toBe(7)
})
