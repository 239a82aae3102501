import type { FuzzService } from './fuzz-service.ts'
import { type RawAnswer, sendRaw } from './raw-client.ts'
import { type GeneratedRequest, RequestGenerator } from './request-generator.ts'

export interface FuzzOptions {
  readonly seed: number
  readonly requests: number
  /** When to stop, whatever is left, by `performance.now()`. */
  readonly deadline?: number
  /** Header lines with keys. */
  readonly keys: readonly string[]
  /** The service, and for a differential run one without the fast path. */
  readonly services: readonly FuzzService[]
  readonly onProgress?: (done: number, report: FuzzReport) => void
}

/** What a campaign found. All counts but that of the requests should be 0. */
export interface FuzzReport {
  requests: number
  responses: number
  internalErrors: number
  differences: number
  slow: number
  slowestMs: number
  /** Memory of the first service at half of the requests and at the end. */
  memoryAtHalf: number
  memoryAtEnd: number
  /** Examples of what was found. */
  readonly examples: string[]
}

/** More processor time than this is too much for one request. */
const MAX_PROCESSOR_MS = 20

/** How long a service may be silent, at first and when an answer is checked again. */
const PATIENCE_MS = 100
const LONG_PATIENCE_MS = 3_000

/** Requests that are sent at the same time. */
const BATCH = 16

/** How often a request that seems slow is repeated: garbage collections are not its own. */
const REPEATS = 4

const MAX_EXAMPLES = 20

/** Sends generated requests to all services, measures what they take, and compares the answers. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { seed, requests, deadline = Number.POSITIVE_INFINITY, keys, services, onProgress } = options
  const generator = new RequestGenerator(seed, keys)
  const report: FuzzReport = {
    requests: 0,
    responses: 0,
    internalErrors: 0,
    differences: 0,
    slow: 0,
    slowestMs: 0,
    memoryAtHalf: 0,
    memoryAtEnd: 0,
    examples: [],
  }
  const note = (what: string, { kind, chunks }: GeneratedRequest) => {
    if (report.examples.length < MAX_EXAMPLES)
      report.examples.push(`${what}: ${kind} ${JSON.stringify(chunks).slice(0, 400)}`)
  }

  const halfTime = (performance.now() + deadline) / 2
  while (report.requests < requests && performance.now() < deadline) {
    const size = Math.min(BATCH, requests - report.requests)
    const batch = Array.from({ length: size }, () => generator.next())
    const answers: (readonly RawAnswer[])[] = []
    for (const service of services) answers.push(await measure(service, batch))
    for (const [i, request] of batch.entries())
      await examine(
        request,
        answers.map((list) => list[i] as RawAnswer),
      )
    const isHalf = report.requests >= requests / 2 || performance.now() >= halfTime
    if (isHalf && report.memoryAtHalf === 0) report.memoryAtHalf = services[0]?.memoryBytes() ?? 0
    const dead = services.find((service) => !service.isAlive())
    if (dead !== undefined) throw new Error(`The service died: ${dead.lastOutput()}\n${JSON.stringify(batch)}`)
    onProgress?.(report.requests, report)
  }
  report.memoryAtEnd = services[0]?.memoryBytes() ?? 0
  return report

  async function examine(request: GeneratedRequest, answers: readonly RawAnswer[]): Promise<void> {
    report.requests++
    for (const { responses } of answers) report.responses += responses.length
    if (answers.some(({ responses }) => responses.some(({ status }) => status === 500))) {
      report.internalErrors++
      note('500', request)
    }
    if (areAlike(answers)) return
    // Silence may have been that of a busy machine.
    const again: RawAnswer[] = []
    for (const service of services) again.push(await ask(service, request, true))
    if (areAlike(again)) return
    report.differences++
    note(`difference ${again.map(describe).join(' | ')} ${firstDifference(again.map(comparable))}`, request)
  }

  /** Sends a batch at once. If it takes more than one request may, each is measured alone. */
  async function measure(service: FuzzService, batch: readonly GeneratedRequest[]): Promise<RawAnswer[]> {
    const before = service.processorMs()
    const answers = await Promise.all(batch.map((request) => ask(service, request, false)))
    if (service.processorMs() - before > MAX_PROCESSOR_MS) {
      for (const request of batch) await measureAlone(service, request)
    }
    return answers
  }

  async function measureAlone(service: FuzzService, request: GeneratedRequest): Promise<void> {
    let spent = Number.POSITIVE_INFINITY
    for (let n = 0; spent > MAX_PROCESSOR_MS && n < REPEATS; n++) {
      const start = service.processorMs()
      await ask(service, request, false)
      spent = Math.min(spent, service.processorMs() - start)
    }
    if (spent > report.slowestMs) report.slowestMs = spent
    if (spent <= MAX_PROCESSOR_MS) return
    report.slow++
    note(`${spent.toFixed(1)} ms`, request)
  }
}

function ask({ port }: FuzzService, { chunks, responses }: GeneratedRequest, isPatient: boolean): Promise<RawAnswer> {
  return sendRaw({ port, chunks, responses, patienceMs: isPatient ? LONG_PATIENCE_MS : PATIENCE_MS })
}

function areAlike(answers: readonly RawAnswer[]): boolean {
  return new Set(answers.map(comparable)).size <= 1
}

/** An answer without what may differ between two services: ids, times, counts, and pages, which hold tokens. */
function comparable({ responses, end }: RawAnswer): string {
  const texts = responses.map(({ status, head, body }) => {
    if (/\r\ncontent-type: text\/(?:html|plain)/i.test(head)) return String(status)
    const masked = head
      .replace(/\r\n(?:x-request-id|date|x-quota-used|set-cookie|content-length|etag): [^\r]*/gi, '')
      .replace(/;(r|t)=\d+/g, ';$1=')
    return `${masked}\n${body.replace(/"requestId":"[^"]+"/g, '')}`
  })
  return [end, ...texts].join('\n')
}

function describe({ responses, end }: RawAnswer): string {
  return `${responses.map(({ status }) => status).join(',')} ${end}`
}

/** The two texts around the first place at which they differ. */
function firstDifference([one = '', other = '']: readonly string[]): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return [one, other].map((text) => JSON.stringify(text.slice(Math.max(0, at - 40), at + 60))).join(' | ')
}
