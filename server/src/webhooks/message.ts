import { createHmac, randomBytes } from 'node:crypto'
import type { DeliveryRecord, StoredWebhook } from '../accounts/store/account-tables.ts'
import type { SendMessage } from './send-message.ts'

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
