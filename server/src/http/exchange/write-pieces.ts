import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

interface PieceWriter {
  write(piece: Buffer, callback: () => void): unknown
}

/**
 * Writes the pieces of a large body, each when the kernel has taken the one before and in a turn of the event loop of its
 * own. Resolves when all are written, or when the connection is closed, as the server does if the client takes nothing.
 */
export async function writePieces(out: PieceWriter, socket: Socket, pieces: readonly Buffer[]): Promise<void> {
  let stopWaiting = () => {}
  const onClose = () => stopWaiting()
  socket.once('close', onClose)
  for (const piece of pieces) {
    if (socket.destroyed) break
    await new Promise<void>((resolve) => {
      stopWaiting = resolve
      out.write(piece, () => resolve())
    })
    await nextTurn()
  }
  socket.off('close', onClose)
}
