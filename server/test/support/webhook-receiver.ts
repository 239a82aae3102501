import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message as it arrived. */
export interface ReceivedMessage {
  readonly id: string
  readonly headers: Record<string, string>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies freely.
  readonly body: any
  /** Whether the receiver answered that it has it. */
  readonly isAccepted: boolean
}

/** How a receiver treats a request. */
export type Behaviour = 'accept' | 'fail' | 'reset' | 'hang' | 'slow' | 'redirect' | 'accept-and-reset'

/** A receiver of webhooks on the loopback that misbehaves on demand. */
export class WebhookReceiver {
  readonly messages: ReceivedMessage[] = []
  behave: (message: number) => Behaviour = () => 'accept'
  private requests = 0
  private readonly server = createServer((req, res) => void this.answer(req, res))

  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`
  }

  close(): void {
    this.server.closeAllConnections()
    this.server.close()
  }

  /** The changes of accepted messages in the order of arrival, each message once, by its id. */
  changes(): string[] {
    const seen = new Set<string>()
    return this.messages
      .filter(({ id, isAccepted }) => isAccepted && !seen.has(id) && seen.add(id))
      .flatMap(({ body }) => (body.data.changes ?? []).map(placeOf))
  }

  private async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    let text = ''
    for await (const part of req) text += part
    const behaviour = this.behave(this.requests++)
    const isAccepted = behaviour.startsWith('accept') || behaviour === 'slow'
    const headers = req.headers as Record<string, string>
    this.messages.push({ id: headers['webhook-id'] ?? '', headers, text, body: JSON.parse(text), isAccepted })
    if (behaviour === 'hang') return
    if (behaviour === 'reset' || behaviour === 'accept-and-reset') req.socket.resetAndDestroy()
    else if (behaviour === 'redirect') res.writeHead(302, { location: '/elsewhere' }).end()
    else if (behaviour === 'fail') res.writeHead(500).end('x'.repeat(5_000))
    else if (behaviour === 'slow') setTimeout(() => res.writeHead(204).end(), 50)
    else res.writeHead(200).end('thank you')
  }
}

/** What identifies a change. */
// biome-ignore lint/suspicious/noExplicitAny: tests read bodies freely.
export function placeOf({ changeType, itemType, showId, season, episode, timestamp, service }: any): string {
  return [changeType, itemType, showId, season ?? 0, episode ?? 0, service.id, timestamp].join('/')
}
