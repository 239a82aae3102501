import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describeSystemError } from '../lib/system-error.ts'
import { type ConnectorContext, ConnectorError, type GivenOptions, type OpenFeed } from './framework/connector.ts'
import { checkOptions } from './framework/options.ts'
import { findConnector, listFormats } from './registry.ts'

/** A source to open: where it is, its format and the options of the format. */
interface SourceInput {
  /** A file, a folder, a pipe, or `-` for standard input. Streams are buffered in a file, since they are read twice. */
  readonly path: string
  /** The name of a connector. */
  readonly format: string
  readonly options: GivenOptions
}

/** Opens a source as a native feed. Rejects with a `ConnectorError` for an unknown format, bad options or a bad source. */
export async function openSource({ path, format, options }: SourceInput, context: ConnectorContext): Promise<OpenFeed> {
  const connector = findConnector(format)
  if (connector === undefined) {
    throw new ConnectorError(`There is no format "${format}"; the formats are ${listFormats()}`)
  }
  checkOptions(connector, options)
  const stream = await openPipe(path)
  if (stream === undefined) {
    const feed = await connector.open(path, options, context).catch(rethrowWithPath(path))
    return withPathInErrors(path, feed)
  }
  const folder = await mkdtemp(join(tmpdir(), 'marquee-feed-'))
  const removeFolder = () => rm(folder, { recursive: true })
  try {
    const file = join(folder, 'feed')
    await pipeline(stream, createWriteStream(file))
    const feed = await connector.open(file, options, context)
    return { ...withPathInErrors(path, feed), dispose: () => feed.dispose().finally(removeFolder) }
  } catch (error) {
    await removeFolder()
    return rethrowWithPath(path)(error as Error)
  }
}

/** The stream behind a path that can be read only once: standard input or a named pipe. */
async function openPipe(path: string): Promise<Readable | undefined> {
  if (path === '-') return process.stdin
  const stats = await stat(path).catch(() => undefined)
  return stats?.isFIFO() === true ? createReadStream(path) : undefined
}

/** Wraps a feed so that errors thrown while it is read name its path. */
function withPathInErrors(path: string, feed: OpenFeed): OpenFeed {
  const lines: OpenFeed['lines'] = async function* () {
    try {
      yield* feed.lines()
    } catch (error) {
      rethrowWithPath(path)(error as Error)
    }
  }
  return { ...feed, lines, progress: () => feed.progress(), dispose: () => feed.dispose() }
}

const rethrowWithPath = (path: string) => (error: Error) => {
  const reason = error instanceof ConnectorError ? error.message : describeSystemError(error)
  throw reason === undefined ? error : new ConnectorError(`The feed ${path} cannot be read: ${reason}`)
}
