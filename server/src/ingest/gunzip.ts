import zlib from 'node:zlib'

/** So much compressed data is given to zlib at a time: what comes of it is in memory at a time. */
const PIECE = 1 << 16
const TRAILER = 8
/** Bits of a header's flags: what follows its ten bytes. */
const FLAGS = { checksum: 2, extra: 4, name: 8, comment: 16 }

/** Thrown for compressed data that breaks off or is no such data; the code begins as those of zlib do. */
class GzipError extends Error {
  readonly code = 'Z_DATA_ERROR'
}

/**
 * The bytes within gzip, of one archive or of several in a row. What could be read comes out before the error that
 * follows it; Node's own stream drops that when it fails, all of a small archive with stray bytes behind it.
 */
export async function* gunzip(source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  const input = new Pieces(source)
  for (;;) {
    await skipHeader(input)
    yield* inflated(input)
    const next = await input.next()
    // Zeros fill archives up to the size of a block.
    if (next === undefined || next[0] === 0) return
    input.unread(next)
  }
}

async function* inflated(input: Pieces): AsyncGenerator<Buffer> {
  const inflate = zlib.createInflateRaw({ chunkSize: 1 << 18 })
  const out: Buffer[] = []
  inflate.on('data', (bytes: Buffer) => out.push(bytes))
  let checksum = 0
  let size = 0
  const taken = function* () {
    for (const bytes of out.splice(0)) {
      // Older versions of Node have no checksum of their own to offer.
      checksum = zlib.crc32?.(bytes, checksum) ?? 0
      size += bytes.length
      yield bytes
    }
  }
  try {
    for (let ended = false; !ended; ) {
      const piece = await input.need()
      const before = inflate.bytesWritten
      try {
        ended = await write(inflate, piece)
      } finally {
        yield* taken()
      }
      if (ended) input.unread(piece.subarray(inflate.bytesWritten - before))
    }
  } finally {
    inflate.destroy()
  }
  const trailer = await input.take(TRAILER)
  const isRight = zlib.crc32 === undefined || trailer.readUInt32LE(0) === checksum
  if (!isRight || trailer.readUInt32LE(4) !== size % 2 ** 32) throw new GzipError('incorrect data check')
}

/** Gives zlib a piece; resolves to whether the compressed data ended within or before it. */
function write(inflate: zlib.InflateRaw, piece: Buffer): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onEnd = () => settle(() => resolve(true))
    const onError = (error: Error) => settle(() => reject(error))
    const settle = (how: () => void) => {
      inflate.off('end', onEnd).off('error', onError)
      how()
    }
    inflate.once('end', onEnd).once('error', onError)
    inflate.write(piece, (error) => {
      if (!error) settle(() => resolve(false))
    })
  })
}

async function skipHeader(input: Pieces): Promise<void> {
  const header = await input.take(10)
  if (header[0] !== 0x1f || header[1] !== 0x8b || header[2] !== 8) {
    throw new GzipError('what follows is no compressed data')
  }
  const flags = header[3] as number
  if (flags & FLAGS.extra) await input.take((await input.take(2)).readUInt16LE(0))
  for (const text of [FLAGS.name, FLAGS.comment]) {
    if (flags & text) while ((await input.take(1))[0] !== 0);
  }
  if (flags & FLAGS.checksum) await input.take(2)
}

/** Bytes in pieces of bounded size, which can be given back. */
class Pieces {
  private readonly source: AsyncIterator<Buffer>
  private rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterator<Buffer>) {
    this.source = source
  }

  /** The next bytes, at least one; undefined at the end. */
  async next(): Promise<Buffer | undefined> {
    while (this.rest.length === 0) {
      const next = await this.source.next()
      if (next.done === true) return undefined
      this.rest = next.value
    }
    const piece = this.rest.subarray(0, PIECE)
    this.rest = this.rest.subarray(piece.length)
    return piece
  }

  /** The next bytes, where there must be some. */
  async need(): Promise<Buffer> {
    const piece = await this.next()
    if (piece === undefined) throw new GzipError('unexpected end of file')
    return piece
  }

  /** Exactly so many bytes. */
  async take(count: number): Promise<Buffer> {
    let taken: Buffer = Buffer.alloc(0)
    while (taken.length < count) taken = Buffer.concat([taken, await this.need()])
    this.unread(taken.subarray(count))
    return taken.subarray(0, count)
  }

  unread(bytes: Buffer): void {
    if (bytes.length > 0) this.rest = this.rest.length === 0 ? bytes : Buffer.concat([bytes, this.rest])
  }
}
