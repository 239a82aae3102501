import { Agent, request } from 'node:http'

/** A request as it goes over the wire. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** An answer as it came over the wire: the body is not decompressed. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** Sends one request to a port of this machine. */
export function send(port: number, asked: HttpRequest): Promise<HttpAnswer> {
  const { method, path, headers, body } = asked
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      )
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection at the very moment of its next use: that says nothing about the request.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(send(port, asked))
      else reject(error)
    })
    sent.end(body)
  })
}

/** Sends a request and expects a status; anything else is an error that shows the answer. */
export async function expectAnswer(port: number, request: HttpRequest, status = 200): Promise<HttpAnswer> {
  const answer = await send(port, request)
  if (answer.status !== status) {
    const said = answer.body.toString('utf8').slice(0, 500)
    throw new Error(`${request.method} ${request.path} ${request.body ?? ''}: ${answer.status}, not ${status}: ${said}`)
  }
  return answer
}
