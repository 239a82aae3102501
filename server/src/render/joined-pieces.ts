/** Pieces of an answer, copied once, into as much room as they need together. */
export class JoinedPieces {
  private readonly pieces: Buffer[] = []
  private size = 0

  add(piece: Buffer): void {
    this.pieces.push(piece)
    this.size += piece.length
  }

  join(): Buffer {
    const body = Buffer.allocUnsafeSlow(this.size)
    let at = 0
    for (const piece of this.pieces) {
      body.set(piece, at)
      at += piece.length
    }
    return body
  }
}
