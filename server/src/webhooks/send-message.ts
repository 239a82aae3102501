import { createHmac, randomBytes } from 'node:crypto'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { DeliveryRecord, StoredWebhook } from '../accounts/store/account-tables.ts'
import { checkHostLiteral, createCheckedLookup, FetchError } from '../connectors/fetch/ssrf-guard.ts'

/** How long a receiver may take to answer. */
const TIMEOUT_MS = 15_000

/** What is kept of an answer. */
const MAX_ANSWER_BYTES = 1_024

/** The outcome of an attempt: the status and the beginning of the answer, or why there was none. */
export interface SendResult {
  readonly status?: number
  readonly answer?: string
  readonly error?: string
}

/** Posts a body to an address. Never throws. */
export type SendMessage = (url: string, headers: Record<string, string>, body: string) => Promise<SendResult>

interface SenderOptions {
  /** Whether private addresses and plain HTTP are allowed. */
  readonly allowPrivate: boolean
  readonly timeoutMs?: number
}

/** Creates a sender that checks addresses as downloads do, follows no redirect, and reads a kilobyte of the answer. */
export function createSender({ allowPrivate, timeoutMs = TIMEOUT_MS }: SenderOptions): SendMessage {
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }
  const guard = allowPrivate ? {} : { lookup: createCheckedLookup(undefined, 'MARQUEE_PRIVATE_WEBHOOKS') }
  return async (address, headers, body) => {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const url = new URL(address)
      checkWebhookUrl(address, allowPrivate)
      const options = { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) }, signal }
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const request =
          url.protocol === 'https:'
            ? httpsRequest(url, { ...options, ...guard, agent: agents.https }, resolve)
            : httpRequest(url, { ...options, ...guard, agent: agents.http }, resolve)
        request.on('error', reject)
        request.end(body)
      })
      return { status: response.statusCode ?? 0, answer: await readStart(response) }
    } catch (error) {
      if (signal.aborted) return { error: `There was no answer within ${timeoutMs / 1000} seconds` }
      return { error: (error as Error).message || String(error) }
    }
  }
}

/** Throws if an address cannot be one of a webhook: not HTTPS, with credentials, or private. */
export function checkWebhookUrl(address: string, allowPrivate: boolean): void {
  if (!URL.canParse(address))
    throw new FetchError('The address of a webhook must be a URL such as https://example.com/hook')
  const url = new URL(address)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    throw new FetchError(`${url.origin} is no https:// address`)
  }
  if (url.username !== '' || url.password !== '')
    throw new FetchError('The address of a webhook must not hold a password')
  if (!allowPrivate) checkHostLiteral(url.hostname, 'MARQUEE_PRIVATE_WEBHOOKS')
}

/** The first kilobyte of an answer. The connection is kept if the answer ends there, and closed otherwise. */
async function readStart(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    bytes += part.length
    if (bytes > MAX_ANSWER_BYTES) break
  }
  return Buffer.concat(parts).subarray(0, MAX_ANSWER_BYTES).toString()
}

/** A message to a webhook, by the Standard Webhooks specification. */
export interface WebhookMessage {
  /** The same for every attempt. */
  readonly id: string
  readonly body: string
  /** How many changes it has. */
  readonly changes: number
}

/** The headers of an attempt to deliver a message: signed now, with each secret that is valid. */
export function messageHeaders(
  { id, body }: Pick<WebhookMessage, 'id' | 'body'>,
  { secret, previous }: Pick<StoredWebhook, 'secret' | 'previous'>,
  now: number,
): Record<string, string> {
  const secrets = previous !== undefined && previous.endsAt > now ? [secret, previous.secret] : [secret]
  return {
    'content-type': 'application/json',
    'user-agent': 'Marquee-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(now),
    'webhook-signature': secrets.map((one) => `v1,${sign(one, `${id}.${now}.${body}`)}`).join(' '),
  }
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return createHmac('sha256', key).update(content).digest('base64')
}

/** The body of a message: its type, when what it tells became known, and the data as ready JSON. */
export function messageBody(type: string, at: number, data: string): string {
  return `{"type":${JSON.stringify(type)},"timestamp":"${new Date(at * 1000).toISOString()}","data":${data}}`
}

/** Sends a message of the type `test`, once and now, also to a webhook that is paused. */
export async function sendTestMessage(send: SendMessage, webhook: StoredWebhook, now: number): Promise<DeliveryRecord> {
  const id = `msg_${webhook.id}_test_${randomBytes(6).toString('hex')}`
  const body = messageBody('test', now, JSON.stringify({ webhook: webhook.id, country: webhook.filter.country }))
  const startedAt = performance.now()
  const result = await send(webhook.url, messageHeaders({ id, body }, webhook, now), body)
  return { id, at: now, changes: 0, attempt: 1, ms: Math.round(performance.now() - startedAt), ...result }
}
