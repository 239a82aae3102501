import { setTimeout as sleep } from 'node:timers/promises'
import { type RawAnswer, RawConnection } from './raw-client.ts'
import { type GeneratedRequest, RequestGenerator } from './request-generator.ts'

/** Memory of the process that answers. */
export interface MemoryUse {
  readonly residentBytes: number
  /** What JavaScript holds on its heap and in buffers beside it. */
  readonly heapBytes: number
  /** What all caches hold by their own account, and each of them. */
  readonly cacheBytes: number
  readonly caches: ReadonlyMap<string, number>
}

/** A service as campaigns see it. */
export interface FuzzTarget {
  readonly port: number
  /** Processor time of the thread that answers, so far, in milliseconds. */
  processorMs(): number
  /** Whether that thread has nothing to do at this moment. */
  isSleeping(): boolean
  memory(): Promise<MemoryUse>
  isAlive(): boolean
  /** What it printed last, for reports. */
  lastOutput(): string
}

export interface FuzzOptions {
  readonly seed: number
  readonly requests: number
  /** When to stop, whatever is left, by `performance.now()`. */
  readonly deadline?: number
  /** Header lines with keys. */
  readonly keys: readonly string[]
  /** The service, and for a differential run one without the fast path. */
  readonly services: readonly FuzzTarget[]
  readonly onProgress?: (done: number, report: FuzzReport) => void
}

/** What a campaign found. All counts but those of requests and responses should be 0. */
export interface FuzzReport {
  requests: number
  responses: number
  internalErrors: number
  differences: number
  /** Requests that were answered in different ways at first, for whatever reason. */
  checkedAgain: number
  slow: number
  /** The most processor time of a request that was measured alone, because its batch took long. */
  slowestMs: number
  /** Memory of the first service at half of the requests and at the end. */
  memoryAtHalf: MemoryUse | undefined
  memoryAtEnd: MemoryUse | undefined
  /** Examples of what was found. */
  readonly examples: string[]
}

/** More processor time than this is too much for one request. */
const MAX_PROCESSOR_MS = 20

/** How long a service may be silent, at first and when an answer is checked again. */
const PATIENCE_MS = 1_500
const LONG_PATIENCE_MS = 3_000

/** Requests that are sent at the same time. */
const BATCH = 64

/** A batch that takes this much longer than usual is searched for a slow request. */
const SUSPICION_MS = MAX_PROCESSOR_MS / 2

/** How often a service is checked for whether it still works on a batch. */
const POLL_MS = 5

/** How often a request that seems slow is repeated: garbage collections are not its own. */
const REPEATS = 8

/** Requests on one connection. */
const MAX_USES = 50

/** Requests that wait for the rest of their input while the campaign goes on. */
const MAX_LEFT_BEHIND = 600

/** Differences that are checked again at the same time. */
const CHECKED_TOGETHER = 8

const MAX_EXAMPLES = 20

/** The kinds of requests that leave a connection as it was. */
const KEEPS_CONNECTION: ReadonlySet<string> = new Set(['endpoint', 'page', 'long', 'method', 'pieces'])

/** Headers after which a connection is not used again. */
const ENDS_CONNECTION = /\r\n(?:connection|upgrade|expect|te|transfer-encoding|content-length):/i

/** A repeated header: the request goes to Node's server, and its connection with it. */
const REPEATS_HEADER = /\r\n([^\r:]+:)[\s\S]*\r\n\1/i

/** A connection that is used for several requests, and what was sent on it before. */
interface KeptConnection {
  readonly connection: RawConnection
  readonly sent: GeneratedRequest[]
}

/** Sends generated requests to all services, measures what they take, and compares the answers. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { seed, requests, deadline = Number.POSITIVE_INFINITY, keys, services, onProgress } = options
  const generator = new RequestGenerator(seed, keys)
  const report: FuzzReport = {
    requests: 0,
    responses: 0,
    internalErrors: 0,
    differences: 0,
    checkedAgain: 0,
    slow: 0,
    slowestMs: 0,
    memoryAtHalf: undefined,
    memoryAtEnd: undefined,
    examples: [],
  }
  const note = (what: string, { kind, chunks }: GeneratedRequest) => {
    if (report.examples.length < MAX_EXAMPLES)
      report.examples.push(`${what}: ${kind} ${JSON.stringify(chunks).slice(0, 400)}`)
  }
  const senders = services.map((service) => new Sender(service))
  const leftBehind = new Set<Promise<void>>()
  /** Requests that were answered in different ways, each after what was sent on its connection before. */
  const different: (readonly GeneratedRequest[])[] = []

  const halfTime = (performance.now() + deadline) / 2
  let started = 0
  let suspects: readonly GeneratedRequest[] = []
  while (started < requests && performance.now() < deadline) {
    const batch = Array.from({ length: Math.min(BATCH, requests - started) }, () => generator.next())
    started += batch.length
    const sent = await Promise.all(senders.map((sender) => sender.sendBatch(batch)))
    for (const [i, request] of batch.entries()) {
      const examined = examine(
        request,
        sent.map((one) => one.answers[i] as Promise<SentAnswer>),
      ).finally(() => leftBehind.delete(examined))
      leftBehind.add(examined)
    }
    // Requests of the batch before that were incomplete are answered now.
    for (const [i, { processorMs }] of sent.entries())
      if ((senders[i] as Sender).isUnusual(processorMs)) await findSlow(senders[i] as Sender, [...suspects, ...batch])
    suspects = batch
    while (leftBehind.size > MAX_LEFT_BEHIND) await Promise.race(leftBehind)
    const isHalf = started >= requests / 2 || performance.now() >= halfTime
    if (isHalf) report.memoryAtHalf ??= await services[0]?.memory()
    const dead = services.find((service) => !service.isAlive())
    if (dead !== undefined) throw new Error(`The service died: ${dead.lastOutput()}\n${JSON.stringify(batch)}`)
    onProgress?.(started, report)
  }
  await Promise.all(leftBehind)
  report.memoryAtEnd = await services[0]?.memory()
  for (let i = 0; i < different.length; i += CHECKED_TOGETHER)
    await Promise.all(different.slice(i, i + CHECKED_TOGETHER).map(checkAgain))
  for (const sender of senders) sender.close()
  report.checkedAgain = different.length
  return report

  async function examine(request: GeneratedRequest, sent: readonly Promise<SentAnswer>[]): Promise<void> {
    const all = await Promise.all(sent)
    const answers = all.map(({ answer }) => answer)
    report.requests++
    for (const { responses } of answers) report.responses += responses.length
    if (answers.some(({ responses }) => responses.some(({ status }) => status === 500))) {
      report.internalErrors++
      note('500', request)
    }
    if (!areAlike(answers)) different.push([...(all[0]?.before ?? []), request])
  }

  /**
   * Sends again what was answered in different ways, when nothing else goes on: silence may have been that of a busy
   * machine, and limits of rates depend on when requests arrive.
   */
  async function checkAgain(sent: readonly GeneratedRequest[]): Promise<void> {
    const again: RawAnswer[] = []
    for (const service of services) again.push(await replay(service, sent))
    if (areAlike(again)) return
    report.differences++
    const what = `difference ${again.map(describe).join(' | ')} ${firstDifference(again.map(comparable))}`
    note(what, sent.at(-1) as GeneratedRequest)
  }

  /** Repeats requests, and halves them while they take long, until the slow ones are alone; measures those. */
  async function findSlow(sender: Sender, among: readonly GeneratedRequest[]): Promise<void> {
    if (among.length > 1) {
      // Most often it was a garbage collection, and nothing is slow when it is repeated.
      if ((await sender.sendBatch(among)).processorMs <= sender.limitMs(among.length)) return
      const middle = among.length >> 1
      for (const half of [among.slice(0, middle), among.slice(middle)]) await findSlow(sender, half)
      return
    }
    let spent = Number.POSITIVE_INFINITY
    for (let n = 0; spent > MAX_PROCESSOR_MS && n < REPEATS; n++)
      spent = Math.min(spent, (await sender.sendBatch(among)).processorMs)
    const [request] = among as readonly [GeneratedRequest]
    if (request.pipelined !== undefined && spent > MAX_PROCESSOR_MS) {
      // The limit is that of a request, and this is several.
      for (const one of request.pipelined) await findSlow(sender, [one])
      return
    }
    if (spent > report.slowestMs) report.slowestMs = spent
    if (spent <= MAX_PROCESSOR_MS) return
    report.slow++
    note(`${spent.toFixed(1)} ms`, request)
  }
}

/** Sends requests one after the other on a fresh connection; returns the answer to the last. */
async function replay({ port }: FuzzTarget, requests: readonly GeneratedRequest[]): Promise<RawAnswer> {
  const connection = new RawConnection(port)
  let answer: RawAnswer = { responses: [], end: 'closed' }
  for (const request of requests) answer = await connection.exchange({ ...request, patienceMs: LONG_PATIENCE_MS })
  connection.reset()
  return answer
}

/** An answer, and what was sent on its connection before. */
interface SentAnswer {
  readonly answer: RawAnswer
  readonly before: readonly GeneratedRequest[]
}

/** Sends batches to one service. The n-th requests of all batches share a connection while it can be used again. */
class Sender {
  private readonly service: FuzzTarget
  private readonly kept = new Map<string, KeptConnection>()
  /** A moving average of the processor time of a batch; high at first, while code is compiled. */
  private usualMs = 100

  constructor(service: FuzzTarget) {
    this.service = service
  }

  /** Whether a batch took so long that a slow request may be in it. */
  isUnusual(processorMs: number): boolean {
    const limit = this.limitMs(BATCH)
    this.usualMs += (Math.min(processorMs, limit) - this.usualMs) / 50
    return processorMs > limit
  }

  /** More processor time than so many requests usually take, by so much that one may be slow. */
  limitMs(requests: number): number {
    return Math.max(MAX_PROCESSOR_MS, (this.usualMs * requests) / BATCH + SUSPICION_MS)
  }

  /**
   * Sends a batch at once, and waits until all is answered, or the service has nothing more to do: then the rest waits
   * for input that does not come, and the answers follow later.
   */
  async sendBatch(
    batch: readonly GeneratedRequest[],
  ): Promise<{ answers: readonly Promise<SentAnswer>[]; processorMs: number }> {
    const { service } = this
    const start = service.processorMs()
    let answered = 0
    const answers = batch.map((request, i) =>
      this.send(request, i).finally(() => {
        answered++
      }),
    )
    const all = Promise.all(answers)
    let seen = { answered: 0, processorMs: start, isSleeping: false }
    while (answered < batch.length) {
      await Promise.race([all, sleep(POLL_MS)])
      const now = { answered, processorMs: service.processorMs(), isSleeping: service.isSleeping() }
      const isIdle = now.answered === seen.answered && now.processorMs - seen.processorMs < 0.5
      if (isIdle && seen.isSleeping && now.isSleeping) break
      seen = now
    }
    return { answers, processorMs: service.processorMs() - start }
  }

  close(): void {
    for (const { connection } of this.kept.values()) connection.reset()
  }

  private async send(request: GeneratedRequest, slot: number): Promise<SentAnswer> {
    const { kind, chunks } = request
    const mayKeep = KEEPS_CONNECTION.has(kind) && !chunks.some((chunk) => ENDS_CONNECTION.test(chunk))
    // Requests for the fast path have connections of their own: others would send theirs to Node's server.
    const isSimple = kind === 'endpoint' && !REPEATS_HEADER.test(chunks[0] ?? '')
    const place = `${slot} ${isSimple}`
    const kept = mayKeep ? this.kept.get(place) : undefined
    if (kept !== undefined) this.kept.delete(place)
    const { connection, sent } = kept ?? {
      connection: new RawConnection(this.service.port, clientAddress(slot)),
      sent: [],
    }
    const answer = await connection.exchange({ ...request, patienceMs: PATIENCE_MS })
    const before = [...sent]
    sent.push(request)
    if (mayKeep && sent.length < MAX_USES && connection.isReusable(answer) && !this.kept.has(place))
      this.kept.set(place, { connection, sent })
    else connection.reset()
    return { answer, before }
  }
}

/** Each place in a batch is another client: those of one network take turns, and share the rate of visitors. */
function clientAddress(slot: number): string {
  return `127.0.1.${1 + slot}`
}

/** Whether all services gave the same answer, but for what may differ between two of them. */
export function areAlike(answers: readonly RawAnswer[]): boolean {
  return answers.length < 2 || new Set(answers.map(comparable)).size === 1
}

/** An answer without what may differ between two services: ids, times, counts, and pages, which hold tokens. */
function comparable({ responses, end }: RawAnswer): string {
  const texts = responses.map(({ status, head, body }) => {
    if (/\r\ncontent-type: text\/(?:html|plain)/i.test(head)) return String(status)
    const masked = head
      .replace(/\r\n(?:x-request-id|date|x-quota-used|retry-after|set-cookie|content-length|etag): [^\r]*/gi, '')
      .replace(/;(r|t)=\d+/g, ';$1=')
    return `${masked}\n${body.replace(/"requestId":"[^"]+"|try again in \d+/g, '')}`
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
