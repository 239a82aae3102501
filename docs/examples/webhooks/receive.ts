// A receiver of webhooks in TypeScript: npm install standardwebhooks, then
//   WEBHOOK_SECRET=whsec_… PORT=3000 node receive.ts
import { createServer, type Server } from 'node:http'
import { Webhook } from 'standardwebhooks'

/** A message of Marquee. `type` is `changes`, `changes.expiring` or `test`. */
interface Message {
  type: string
  timestamp: string
  data: {
    webhook: string
    country: string
    changes?: { changeType: string; showId: string; service: { name: string } }[]
    shows?: Record<string, { title: string }>
  }
}

/** Answers 204 to messages that are signed with the secret, once `handle` is done with them, and 401 to others. */
export function createReceiver(secret: string, handle: (message: Message) => Promise<void> | void): Server {
  const webhook = new Webhook(secret)
  // A message comes again when its answer was lost. Use your database for this.
  const handled = new Set<string>()
  return createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const headers = request.headers as Record<string, string>
    const id = String(headers['webhook-id'])
    let message: Message
    try {
      // The bytes as they came are signed: verify before parsing.
      message = webhook.verify(Buffer.concat(parts).toString(), headers) as Message
    } catch {
      response.writeHead(401).end('The signature is wrong')
      return
    }
    if (!handled.has(id)) await handle(message)
    handled.add(id)
    response.writeHead(204).end()
  })
}

if (process.env.WEBHOOK_SECRET !== undefined) {
  const receiver = createReceiver(process.env.WEBHOOK_SECRET, ({ type, data }) => {
    for (const { changeType, showId, service } of data.changes ?? []) {
      console.log(type, changeType, data.shows?.[showId]?.title, 'on', service.name)
    }
  })
  receiver.listen(Number(process.env.PORT ?? 3000))
}
