import { TmdbUnavailable } from './tmdb-error.ts'

/** Thrown when an answer is larger than it may be; the rest of it is not read. */
export class TooLarge extends TmdbUnavailable {}

/** The text of an answer. One that is too large, packed or not, is given up as soon as that shows. */
export async function boundedBody(response: Response, mostBytes: number): Promise<string> {
  if (response.body === null) return ''
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += piece.byteLength
    // Leaving the loop closes the connection.
    if (size > mostBytes) throw new TooLarge(`${pathOf(response)}: the answer has more than ${mostBytes} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** Where an answer came from, without its query, which may hold a key. */
function pathOf({ url }: Response): string {
  return url === '' ? '' : new URL(url).pathname
}
