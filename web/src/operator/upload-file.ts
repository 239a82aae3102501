import type { PlatformSession } from '../platform/session.ts'

/** How often a piece is sent again after a lost connection or a busy service. */
const MAX_ATTEMPTS = 5
const RETRY_MS = 1_000

/** Uploads a file in pieces, and reports the bytes that have arrived. Returns the id of the upload. */
export async function uploadFile(
  session: PlatformSession,
  file: File,
  onProgress: (bytes: number) => void,
): Promise<string> {
  const { id, pieceBytes } = await session.fetch<{ readonly id: string; readonly pieceBytes: number }>({
    method: 'POST',
    path: '/operator/uploads',
    body: { bytes: file.size },
  })
  onProgress(0)
  for (let offset = 0; offset < file.size; offset += pieceBytes) {
    const piece = file.slice(offset, offset + pieceBytes)
    await withRetries(() => session.fetch({ method: 'PUT', path: `/operator/uploads/${id}?offset=${offset}`, piece }))
    onProgress(offset + piece.size)
  }
  return id
}

/** Tries again unless the service understood the request and refused it. */
async function withRetries(act: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await act()
      return
    } catch (error) {
      const { status = 503 } = error as { status?: number }
      if (status < 500 || attempt === MAX_ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, attempt * RETRY_MS))
    }
  }
}
