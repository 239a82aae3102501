import { randomBytes } from 'node:crypto'
import type { DeliveryRecord, StoredWebhook } from '../accounts/store/account-tables.ts'
import { messageBody, messageHeaders } from './message.ts'
import type { SendMessage } from './send-message.ts'

/** Sends a message of the type `test`, once and now, also to a webhook that is paused. */
export async function sendTestMessage(send: SendMessage, webhook: StoredWebhook, now: number): Promise<DeliveryRecord> {
  const id = `msg_${webhook.id}_test_${randomBytes(6).toString('hex')}`
  const body = messageBody('test', now, JSON.stringify({ webhook: webhook.id, country: webhook.filter.country }))
  const startedAt = performance.now()
  const result = await send(webhook.url, messageHeaders({ id, body }, webhook, now), body)
  return { id, at: now, changes: 0, attempt: 1, ms: Math.round(performance.now() - startedAt), ...result }
}
