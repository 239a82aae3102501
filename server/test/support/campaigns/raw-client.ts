import { connect, type Socket } from 'node:net'

/** What came back for what was sent. */
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

/** What to send, and how long to wait for the answer. */
export interface RawExchange {
  readonly chunks: readonly string[]
  /** How many responses to wait for. */
  readonly responses: number
  /** How long the server may send nothing before the connection is half-closed, and again before the client gives up. */
  readonly patienceMs: number
}

/** A pause between chunks, so that the kernel does not join them. */
const CHUNK_PAUSE_MS = 3

/** A connection that sends any bytes and parses the responses as they arrive. */
export class RawConnection {
  private readonly socket: Socket
  private received = ''
  /** Where the response begins that is not complete yet. */
  private at = 0
  /** How much has to be received before that response can be complete, as far as is known. */
  private needed = 0
  private onChange: (() => void) | undefined
  private isClosed = false

  /** @param localAddress the address to connect from, one of the loopback network */
  constructor(port: number, localAddress = '127.0.0.1') {
    this.socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    this.socket.on('data', (data) => {
      this.received += data.toString('latin1')
      this.onChange?.()
    })
    this.socket.on('error', () => {})
    this.socket.on('close', () => {
      this.isClosed = true
      this.onChange?.()
    })
  }

  /** Sends chunks, and reads until all responses are there, the connection is closed, or nothing more comes. */
  exchange({ chunks, responses: expected, patienceMs }: RawExchange): Promise<RawAnswer> {
    const isHead = chunks[0]?.startsWith('HEAD ') === true
    const responses: RawResponse[] = []
    return new Promise((resolve) => {
      const finish = (end: RawAnswer['end']) => {
        clearTimeout(timer)
        this.onChange = undefined
        // Whether a further response came with the last one is chance.
        resolve({ responses: responses.slice(0, expected), end })
      }
      let hasEnded = false
      // A request that is not complete waits for its rest: half-closing the connection makes the server decide.
      const timer = setTimeout(() => {
        if (hasEnded) finish('silent')
        else {
          hasEnded = true
          this.socket.end()
          timer.refresh()
        }
      }, patienceMs)
      this.onChange = () => {
        timer.refresh()
        for (let next = this.take(isHead); next !== undefined; next = this.take(isHead))
          if (next.status >= 200) responses.push(next)
        if (responses.length >= expected) finish('complete')
        else if (this.isClosed) finish('closed')
      }
      if (this.isClosed) this.onChange()
      else this.write(chunks)
    })
  }

  /** Whether another exchange can follow: everything was read, and the server keeps the connection open. */
  isReusable({ responses, end }: RawAnswer): boolean {
    const last = responses.at(-1)
    return (
      end === 'complete' &&
      !this.isClosed &&
      this.at === this.received.length &&
      last !== undefined &&
      !/\r\nconnection: close/i.test(last.head)
    )
  }

  /** Resets the connection, which leaves no port in TIME_WAIT. */
  reset(): void {
    this.socket.resetAndDestroy()
  }

  private write([first = '', ...others]: readonly string[]): void {
    this.socket.write(first, 'latin1')
    if (others.length === 0) return
    setTimeout(() => {
      if (this.socket.writable) this.write(others)
    }, CHUNK_PAUSE_MS)
  }

  /** Takes the next whole response from what was received. */
  private take(isHead: boolean): RawResponse | undefined {
    const { received, at } = this
    // Searching a long body anew for each piece of it would take most of a campaign's time.
    if (received.length < this.needed) return undefined
    const headEnd = received.indexOf('\r\n\r\n', at)
    if (headEnd < 0) return undefined
    const head = received.slice(at, headEnd)
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
    const start = headEnd + 4
    const end = isHead || status < 200 || status === 204 || status === 304 ? start : this.findBodyEnd(head, start)
    this.needed = end ?? 0
    if (end === undefined || end > received.length) return undefined
    this.at = end
    this.needed = 0
    // Forgets what was parsed, so that a long conversation costs no more than a short one.
    if (end === received.length) {
      this.received = ''
      this.at = 0
    }
    return { status, head, body: received.slice(start, end) }
  }

  private findBodyEnd(head: string, start: number): number | undefined {
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    if (length !== undefined) return start + Number(length)
    if (!/\r\ntransfer-encoding: chunked/i.test(head)) return this.isClosed ? this.received.length : undefined
    for (let at = start; ; ) {
      const lineEnd = this.received.indexOf('\r\n', at)
      const size = lineEnd < 0 ? Number.NaN : Number.parseInt(this.received.slice(at, lineEnd), 16)
      if (Number.isNaN(size)) return undefined
      at = lineEnd + 2 + size + 2
      if (at > this.received.length) return at
      if (size === 0) return at
    }
  }
}
