import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describeSystemError } from '../../lib/system-error.ts'
import { type ConnectorContext, ConnectorError, type GivenOptions, type OpenFeed } from './connector.ts'
import { checkOptions } from './options.ts'
import { CONNECTORS } from './registry.ts'

/** What is to be read, and as what. */
export interface SourceInput {
  /** A file or a folder, or a pipe, or `-` for standard input; what can be read only once is kept in a file meanwhile. */
  readonly path: string
  /** The name of a connector. */
  readonly format: string
  readonly options: GivenOptions
}

/** Opens a source as a native feed. Rejects with a `ConnectorError` that says what is wrong with what was asked for. */
export async function openSource({ path, format, options }: SourceInput, context: ConnectorContext): Promise<OpenFeed> {
  const connector = CONNECTORS.find(({ name }) => name === format)
  if (connector === undefined) {
    const names = CONNECTORS.map(({ name }) => name).join(', ')
    throw new ConnectorError(`There is no format "${format}"; the formats are ${names}`)
  }
  checkOptions(connector, options)
  const flow = await openPipe(path)
  if (flow === undefined)
    return withPathInErrors(path, await connector.open(path, options, context).catch(rethrowWithPath(path)))
  const folder = await mkdtemp(join(tmpdir(), 'marquee-feed-'))
  const removeFolder = () => rm(folder, { recursive: true })
  try {
    const file = join(folder, 'feed')
    await pipeline(flow, createWriteStream(file))
    const feed = await connector.open(file, options, context)
    return { ...withPathInErrors(path, feed), dispose: () => feed.dispose().finally(removeFolder) }
  } catch (error) {
    await removeFolder()
    return rethrowWithPath(path)(error as Error)
  }
}

/** What a path leads to, if it can be read only once. */
async function openPipe(path: string): Promise<Readable | undefined> {
  if (path === '-') return process.stdin
  const about = await stat(path).catch(() => undefined)
  return about?.isFIFO() === true ? createReadStream(path) : undefined
}

/** The same feed; what is found wrong with it only while it is read names it, too. */
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
