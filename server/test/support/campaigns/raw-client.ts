import { connect } from 'node:net'

/** What came back on a connection. */
export interface RawAnswer {
  /** The whole responses, in order. */
  readonly responses: readonly RawResponse[]
  /** Why reading ended: all responses came, the server closed the connection, or nothing came in time. */
  readonly end: 'complete' | 'closed' | 'silent'
}

/** One response. */
export interface RawResponse {
  readonly status: number
  /** Status line and headers. */
  readonly head: string
  readonly body: string
}

interface SendOptions {
  readonly port: number
  readonly chunks: readonly string[]
  /** How many responses to wait for. */
  readonly responses: number
  /** How long the server may send nothing. */
  readonly patienceMs: number
}

/** A pause between chunks, so that the kernel does not join them. */
const CHUNK_PAUSE_MS = 3

/** Writes chunks to a fresh connection, and reads responses until all are there, it is closed, or nothing more comes. */
export function sendRaw({ port, chunks, responses: expected, patienceMs }: SendOptions): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const isHead = chunks.join('').startsWith('HEAD ')
    let received = ''
    let responses: readonly RawResponse[] = []
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const finish = (end: RawAnswer['end']) => {
      if (end !== 'complete') responses = parseResponses(received, isHead, true)
      // A reset leaves no port in TIME_WAIT.
      socket.resetAndDestroy()
      resolve({ responses, end })
    }
    // A request that is not complete waits for its rest: half-closing the connection makes the server decide.
    let hasEnded = false
    socket.setTimeout(patienceMs, () => {
      if (hasEnded) finish('silent')
      else socket.end()
      hasEnded = true
    })
    socket.on('data', (data) => {
      received += data.toString('latin1')
      responses = parseResponses(received, isHead, false)
      if (responses.length >= expected) finish('complete')
    })
    socket.on('error', () => {})
    socket.on('close', () => finish('closed'))
    socket.on('connect', async () => {
      for (const [i, chunk] of chunks.entries()) {
        if (i > 0) await new Promise((next) => setTimeout(next, CHUNK_PAUSE_MS))
        if (socket.writable) socket.write(chunk, 'latin1')
      }
    })
  })
}

/** The whole responses in a text; at the end of a connection also one whose length is not stated. */
function parseResponses(text: string, isHead: boolean, isEnd: boolean): RawResponse[] {
  const responses: RawResponse[] = []
  for (let at = 0; at < text.length; ) {
    const headEnd = text.indexOf('\r\n\r\n', at)
    if (headEnd < 0) break
    const head = text.slice(at, headEnd)
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    const hasBody = !isHead && status >= 200 && status !== 204 && status !== 304
    const start = headEnd + 4
    const end = !hasBody ? start : length !== undefined ? start + Number(length) : isEnd ? text.length : Number.NaN
    if (!(end <= text.length)) break
    if (status >= 200) responses.push({ status, head, body: text.slice(start, end) })
    at = end
  }
  return responses
}
