/** A printed piece: where it lies, and for how long it stays as it is. */
export interface Piece {
  readonly chunk: Buffer
  readonly start: number
  readonly end: number
  readonly validUntil: number
}

const CHUNK_BYTES = 4 * 1024 * 1024

interface Chunk {
  readonly memory: Buffer
  readonly keys: number[]
}

/**
 * Pieces by number, in a ring of large chunks of memory. What was printed longest ago is overwritten when the ring is
 * full. Tens of thousands of pieces with memory of their own would be gone through by the collector again and again.
 */
export class PieceRing {
  private readonly most: number
  private readonly chunks: Chunk[] = []
  private readonly pieces = new Map<number, Piece>()
  private current = -1
  private at = CHUNK_BYTES

  constructor(bytes: number) {
    this.most = Math.max(2, Math.ceil(bytes / CHUNK_BYTES))
  }

  get(key: number): Piece | undefined {
    return this.pieces.get(key)
  }

  /** Keeps a copy of the bytes under a number. */
  put(key: number, bytes: Buffer, validUntil: number): Piece {
    if (bytes.length > CHUNK_BYTES) return { chunk: Buffer.from(bytes), start: 0, end: bytes.length, validUntil }
    if (this.at + bytes.length > CHUNK_BYTES) this.nextChunk()
    const { memory, keys } = this.chunks[this.current] as Chunk
    const piece = { chunk: memory, start: this.at, end: this.at + bytes.length, validUntil }
    bytes.copy(memory, this.at)
    this.at = piece.end
    keys.push(key)
    this.pieces.set(key, piece)
    return piece
  }

  /** Forgets everything and keeps the memory. */
  clear(): void {
    this.pieces.clear()
    for (const { keys } of this.chunks) keys.length = 0
    this.current = -1
    this.at = CHUNK_BYTES
  }

  private nextChunk(): void {
    this.current = (this.current + 1) % this.most
    this.at = 0
    const chunk = this.chunks[this.current]
    if (chunk === undefined) {
      this.chunks.push({ memory: Buffer.allocUnsafeSlow(CHUNK_BYTES), keys: [] })
      return
    }
    for (const key of chunk.keys) if (this.pieces.get(key)?.chunk === chunk.memory) this.pieces.delete(key)
    chunk.keys.length = 0
  }
}
