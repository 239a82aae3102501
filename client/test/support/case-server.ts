import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Answer } from './case-file.ts'

/** A request as it came over the wire. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
}

/** A server that gives prepared answers, one after the other, and remembers what it was asked. */
export interface CaseServer {
  readonly address: string
  readonly seen: readonly SeenRequest[]
}

/** Starts the server; it ends with the test. A request too many gets an answer that no client takes for good. */
export async function startCaseServer(answers: readonly Answer[]): Promise<CaseServer> {
  const seen: SeenRequest[] = []
  const server = createServer((request, response) => {
    const [path, search] = (request.url as string).split('?', 2) as [string, string?]
    const answer = answers[seen.length] ?? { status: 500, json: { message: 'One request too many.' } }
    seen.push({
      method: request.method as string,
      path,
      query: Object.fromEntries(new URLSearchParams(search)),
      headers: request.headers,
    })
    give(answer, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const BODY = '[{"id":"crime","name":"Crime"}]'

function give(answer: Answer, response: ServerResponse): void {
  if (answer.fault === 'stall') return
  if (answer.fault === 'reset') {
    response.socket?.destroy()
    return
  }
  if (answer.fault !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': BODY.length, connection: 'close' })
    response.write(BODY.slice(0, BODY.length / 2), () => {
      if (answer.fault === 'cut') response.socket?.destroy()
    })
    return
  }
  const body = answer.json === undefined ? answer.text : JSON.stringify(answer.json)
  const type = answer.json === undefined ? {} : { 'content-type': contentType(answer.status, answer.json) }
  response.writeHead(answer.status, { ...type, ...answer.headers, connection: 'close' })
  response.end(body)
}

/** Errors with more members than a message are problem details. */
function contentType(status: number, json: unknown): string {
  const isProblem = status >= 400 && 'detail' in (json as object)
  return isProblem ? 'application/problem+json' : 'application/json; charset=utf-8'
}
