import { createHmac } from 'node:crypto'
import type { StoredWebhook } from '../accounts/store/account-tables.ts'

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
