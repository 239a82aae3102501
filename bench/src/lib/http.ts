import { Agent, request } from 'node:http'

/** An HTTP request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** An HTTP response; the body is not decompressed. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** A request as it is written to a socket. */
export function formatMessage({ method, path, headers, body = '' }: HttpRequest): Buffer {
  const all = { Host: '127.0.0.1', ...headers, ...(body !== '' && { 'Content-Length': Buffer.byteLength(body) }) }
  const lines = Object.entries(all).map((header) => `${header.join(': ')}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** Sends one request to a port on the loopback interface. */
export function send(port: number, message: HttpRequest): Promise<HttpResponse> {
  const { method, path, headers, body } = message
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle keep-alive connection just as it was reused: retry the request.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(send(port, message))
      else reject(error)
    })
    sent.end(body)
  })
}

/** Sends a request and throws, with the start of the body, if the status is not the expected one. */
export async function sendExpecting(port: number, request: HttpRequest, status = 200): Promise<HttpResponse> {
  const response = await send(port, request)
  if (response.status !== status) {
    const text = response.body.toString('utf8').slice(0, 500)
    throw new Error(
      `${request.method} ${request.path} ${request.body ?? ''}: ${response.status}, expected ${status}: ${text}`,
    )
  }
  return response
}
