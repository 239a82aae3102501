import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import { SINCE_NOW } from '../../query/changes/changes-search.ts'
import { TokenExpiredError } from '../../query/changes/journal-token.ts'
import type { ChangesStreamQuery } from '../../query/queries.ts'
import type { QueryEngine, StreamedChanges } from '../../render/query-engine.ts'
import { ApiError } from '../exchange/errors.ts'

/** How often the catalog version is compared with the last one seen, while streams are open. */
const POLL_MS = 250

/** Well below the idle timeout of the server and of usual proxies. */
const HEARTBEAT_SECONDS = 15

/** Streams of all keys in one process. */
const MAX_STREAMS = 20_000

/** Bytes that a client has not taken yet, beyond which its stream pauses until it has. */
const MAX_PENDING_BYTES = 256 * 1024

/** Events are sent in parts of about this size. */
const PART_BYTES = 32 * 1024

/** How long one turn of the event loop may work for streams. */
const TURN_MS = 4

/** How soon a client should reconnect. */
const RETRY_MS = 2_000

/** The response that a stream is written to. */
export interface StreamResponse {
  readonly writableLength: number
  write(chunk: string | Buffer): boolean
  end(): unknown
  on(event: 'drain' | 'close' | 'error', listener: () => void): unknown
}

interface ChangeStreamsOptions {
  readonly engine: Pick<QueryEngine, 'version' | 'resolveStreamToken' | 'streamChanges'>
  readonly clock: Clock
  /** Streams that one key may have open in this process. */
  readonly maxPerKey: number
  /** Whether this process is about to stop: streams then end, and their clients reconnect to another one. */
  readonly isDraining: () => boolean
  readonly pollMs?: number
}

interface StreamRequest {
  readonly keyId: string
  readonly query: ChangesStreamQuery
  /** The journal token to begin behind, or `now`. */
  readonly since: string
  /** Whether the key is still valid. Checked with each heartbeat. */
  readonly isAllowed: (now: number) => boolean
}

interface Stream extends StreamRequest {
  readonly response: StreamResponse
  readonly group: Group
  /** Everything before this token was sent. */
  token: string
  sentAt: number
  isPaused: boolean
}

/** Streams with the same filters. Those that have everything up to the group's token get the same bytes. */
interface Group {
  readonly name: string
  readonly query: ChangesStreamQuery
  token: string
  readonly current: Set<Stream>
  size: number
}

/** Some events as bytes, and the token behind them. */
interface Part {
  readonly bytes: Buffer
  readonly token: string
}

/**
 * The open streams of a process. A stream is a position in the journal of commits and holds no snapshot: it reads a slice,
 * sends it, and is then a token again. New commits are noticed by polling the catalog version, once for all streams; each
 * group of equal filters is read and rendered once. A stream whose client is slow pauses and later reads on by itself.
 */
export class ChangeStreams {
  private readonly options: ChangeStreamsOptions
  private readonly groups = new Map<string, Group>()
  private readonly streams = new Set<Stream>()
  private readonly counts = new Map<string, number>()
  /** Groups that may have changes to read. */
  private readonly stale = new Set<Group>()
  /** Streams that have not reached the token of their group, and can be written to. */
  private readonly behind = new Set<Stream>()
  private timer: NodeJS.Timeout | undefined
  private seenVersion = -1
  private heartbeatsAt = 0
  private isPumping = false
  private turnEndsAt = 0

  constructor(options: ChangeStreamsOptions) {
    this.options = options
  }

  get size(): number {
    return this.streams.size
  }

  /**
   * Checks the limits and the token, and returns a function that opens the stream on a response whose headers were
   * sent. Throws an error of the API.
   */
  admit(request: StreamRequest): (response: StreamResponse) => void {
    const { maxPerKey, engine } = this.options
    const open = this.counts.get(request.keyId) ?? 0
    if (open >= maxPerKey) {
      const message = `This key has ${open} streams open, as many as it may; close one, or filter by several types in one.`
      throw new ApiError('too_many_streams', message, { retryAfter: HEARTBEAT_SECONDS })
    }
    if (this.streams.size >= MAX_STREAMS) {
      throw new ApiError('overloaded', 'As many streams are open as the service holds; try again later.', {
        retryAfter: 60,
      })
    }
    const token = engine.resolveStreamToken(request.since)
    return (response) => this.open(request, token, response)
  }

  /** Ends all streams. */
  close(): void {
    for (const stream of [...this.streams]) this.end(stream)
  }

  private open(request: StreamRequest, token: string, response: StreamResponse): void {
    const { engine, clock } = this.options
    const { since: _since, ...filters } = request.query
    const name = JSON.stringify(filters)
    const group = this.groups.get(name) ?? {
      name,
      query: request.query,
      token: engine.resolveStreamToken(SINCE_NOW),
      current: new Set<Stream>(),
      size: 0,
    }
    this.groups.set(name, group)
    group.size++
    const stream: Stream = { ...request, response, group, token, sentAt: clock(), isPaused: false }
    this.streams.add(stream)
    this.counts.set(request.keyId, (this.counts.get(request.keyId) ?? 0) + 1)
    response.on('close', () => this.remove(stream))
    // A write may meet a connection that has just closed.
    response.on('error', () => this.remove(stream))
    response.on('drain', () => {
      if (!stream.isPaused || !this.streams.has(stream)) return
      stream.isPaused = false
      this.behind.add(stream)
      void this.pump()
    })
    // The id lets a client resume that was cut off before the first event.
    response.write(`retry: ${RETRY_MS}\nid: ${token}\n\n`)
    this.timer ??= setInterval(() => this.poll(), this.options.pollMs ?? POLL_MS).unref()
    if (token === group.token) group.current.add(stream)
    else {
      this.behind.add(stream)
      void this.pump()
    }
  }

  private remove(stream: Stream): void {
    if (!this.streams.delete(stream)) return
    const { group, keyId } = stream
    group.current.delete(stream)
    this.behind.delete(stream)
    if (--group.size === 0) {
      this.groups.delete(group.name)
      this.stale.delete(group)
    }
    const left = (this.counts.get(keyId) ?? 1) - 1
    if (left === 0) this.counts.delete(keyId)
    else this.counts.set(keyId, left)
    if (this.streams.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private end(stream: Stream, lastEvent?: string): void {
    this.remove(stream)
    if (lastEvent !== undefined) stream.response.write(lastEvent)
    stream.response.end()
  }

  private poll(): void {
    if (this.options.isDraining()) {
      this.close()
      return
    }
    const version = this.options.engine.version()
    if (version !== this.seenVersion) {
      this.seenVersion = version
      for (const group of this.groups.values()) this.stale.add(group)
    }
    void this.pump()
  }

  /** Sends what there is to send, in turns of a few milliseconds. */
  private async pump(): Promise<void> {
    if (this.isPumping) return
    this.isPumping = true
    try {
      this.turnEndsAt = performance.now() + TURN_MS
      do {
        await this.sendHeartbeats()
        for (const group of [...this.stale]) await this.advanceGroup(group)
        for (const stream of [...this.behind]) {
          this.advanceStream(stream)
          await this.yieldTurn()
        }
      } while (this.stale.size > 0 || this.behind.size > 0)
    } finally {
      this.isPumping = false
    }
  }

  /** Lets other work of the event loop run when this turn has taken long enough. */
  private async yieldTurn(): Promise<void> {
    if (performance.now() < this.turnEndsAt) return
    await nextTurn()
    this.turnEndsAt = performance.now() + TURN_MS
  }

  /** Reads a slice for a group, and sends it to all streams that are at the group's token. */
  private async advanceGroup(group: Group): Promise<void> {
    this.stale.delete(group)
    const members = [...group.current]
    if (members.length === 0) {
      group.token = this.options.engine.resolveStreamToken(SINCE_NOW)
      return
    }
    const read = this.read(group.query, group.token, members)
    if (read === undefined) return
    group.token = read.token
    for (const part of toParts(read)) {
      for (const stream of members) {
        if (group.current.has(stream)) this.send(stream, part)
        await this.yieldTurn()
      }
    }
    for (const stream of members) if (group.current.has(stream)) stream.token = read.token
    if (read.hasMore && this.groups.get(group.name) === group) this.stale.add(group)
  }

  /** Reads a slice for one stream that is behind its group. */
  private advanceStream(stream: Stream): void {
    if (!this.behind.delete(stream)) return
    const { group } = stream
    const read = this.read(group.query, stream.token, [stream])
    if (read === undefined) return
    for (const part of toParts(read)) {
      this.send(stream, part)
      if (stream.isPaused || !this.streams.has(stream)) return
    }
    stream.token = read.token
    if (!read.hasMore && stream.token === group.token) group.current.add(stream)
    else {
      this.behind.add(stream)
      // Whichever of the two is older catches up.
      if (!read.hasMore) this.stale.add(group)
    }
  }

  /** The next changes behind a token. If they cannot be read, the streams that wait for them end. */
  private read(query: ChangesStreamQuery, token: string, waiting: readonly Stream[]): StreamedChanges | undefined {
    try {
      return this.options.engine.streamChanges(query, token, this.options.clock())
    } catch (error) {
      const lastEvent = error instanceof TokenExpiredError ? expiredEvent(error) : undefined
      for (const stream of waiting) this.end(stream, lastEvent)
      return undefined
    }
  }

  private send(stream: Stream, { bytes, token }: Part): void {
    stream.response.write(bytes)
    stream.token = token
    stream.sentAt = this.options.clock()
    if (stream.response.writableLength <= MAX_PENDING_BYTES) return
    stream.isPaused = true
    stream.group.current.delete(stream)
  }

  /** Streams that are paused get none: a client that takes nothing is closed by the server's timeout. */
  private async sendHeartbeats(): Promise<void> {
    const now = this.options.clock()
    if (now === this.heartbeatsAt) return
    this.heartbeatsAt = now
    for (const stream of [...this.streams]) {
      if (now - stream.sentAt < HEARTBEAT_SECONDS || stream.isPaused || !this.streams.has(stream)) continue
      if (stream.isAllowed(now)) {
        stream.response.write(`: heartbeat\nid: ${stream.token}\n\n`)
        stream.sentAt = now
      } else this.end(stream)
      await this.yieldTurn()
    }
  }
}

/** Events of a read in parts of moderate size. */
function toParts({ changes }: StreamedChanges): Part[] {
  const parts: Part[] = []
  let pieces: Buffer[] = []
  let bytes = 0
  changes.forEach(({ token, json }, i) => {
    pieces.push(Buffer.from(`id: ${token}\nevent: change\ndata: `), json, END_OF_EVENT)
    bytes += json.length
    if (bytes < PART_BYTES && i < changes.length - 1) return
    parts.push({ bytes: Buffer.concat(pieces), token })
    pieces = []
    bytes = 0
  })
  return parts
}

const END_OF_EVENT = Buffer.from('\n\n')

/** The last event of a stream that cannot go on. */
function expiredEvent({ message }: TokenExpiredError): string {
  return `event: expired\ndata: ${JSON.stringify({ code: 'token_expired', message })}\n\n`
}
