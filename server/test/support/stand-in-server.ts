import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Fault, fail } from './faults.ts'

/** What a stand-in answers: a status, a body that is sent as JSON or as text, and headers. */
export interface StandInAnswer {
  readonly status?: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A server that stands in for an API. It records requests, and can fail. */
export abstract class StandInServer {
  /** Path and query of each request so far. */
  readonly requests: string[] = []
  /** Called for each request; a returned fault is sent instead of the answer. */
  fault: (path: string) => Fault | undefined = () => undefined
  address = ''
  private readonly server = createServer((request, response) => this.handle(request, response))

  /** Starts it; it is stopped when the test ends. */
  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    this.address = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
    onTestFinished(() => {
      this.server.close()
      this.server.closeAllConnections()
    })
    return this
  }

  /** The number of requests whose path fits, from one on. */
  count(path: RegExp, from = 0): number {
    return this.requests.slice(from).filter((request) => path.test(request.split('?')[0] ?? '')).length
  }

  /** The answer to a request. */
  protected abstract answer(url: URL, request: IncomingMessage): StandInAnswer

  private handle(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    this.requests.push(url.pathname + url.search)
    const { status = 200, body, headers } = this.answer(url, request)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const fault = this.fault(url.pathname)
    if (fault !== undefined) fail(response, fault, text)
    else response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  }
}
