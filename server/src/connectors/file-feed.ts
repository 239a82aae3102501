import { createReadStream, type ReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { FeedLine } from '../ingest/parse/feed-lines.ts'
import { ConnectorError, type OpenFeed } from './connector.ts'

/** The feed of a source that is one file, read from front to back in each reading. */
export async function fileFeed(path: string, read: (stream: ReadStream) => AsyncIterable<FeedLine>): Promise<OpenFeed> {
  const about = await stat(path)
  if (!about.isFile()) throw new ConnectorError('it is no file')
  if (about.size === 0) throw new ConnectorError('it is empty')
  let stream: ReadStream | undefined
  return {
    lines: () => {
      stream = createReadStream(path)
      return read(stream)
    },
    progress: () => (stream === undefined ? 0 : (stream.bytesRead - stream.readableLength) / about.size),
    dispose: async () => {},
  }
}
