import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { checkOptions } from './check-options.ts'
import { type ConnectorContext, ConnectorError, type GivenOptions, type OpenFeed } from './connector.ts'
import { CONNECTORS } from './registry.ts'

/** What is to be read, and as what. */
export interface Source {
  /** A file or a folder, or `-` for standard input, which is kept in a file meanwhile. */
  readonly path: string
  /** The name of a connector. */
  readonly format: string
  readonly options: GivenOptions
}

/** Opens a source as a native feed. Rejects with a `ConnectorError` that says what is wrong with what was asked for. */
export async function openSource({ path, format, options }: Source, context: ConnectorContext): Promise<OpenFeed> {
  const connector = CONNECTORS.find(({ name }) => name === format)
  if (connector === undefined) {
    const names = CONNECTORS.map(({ name }) => name).join(', ')
    throw new ConnectorError(`There is no format "${format}"; the formats are ${names}`)
  }
  checkOptions(connector, options)
  if (path !== '-') return connector.open(path, options, context).catch(refuseTo(path))
  const folder = await mkdtemp(join(tmpdir(), 'marquee-feed-'))
  const removeFolder = () => rm(folder, { recursive: true })
  try {
    const file = join(folder, 'feed')
    await pipeline(process.stdin, createWriteStream(file))
    const feed = await connector.open(file, options, context)
    return { ...feed, dispose: () => feed.dispose().finally(removeFolder) }
  } catch (error) {
    await removeFolder()
    return refuseTo('-')(error as Error)
  }
}

const refuseTo = (path: string) => (error: Error) => {
  const expected = error instanceof ConnectorError || 'code' in error
  throw expected ? new ConnectorError(`The feed ${path} cannot be read: ${error.message}`) : error
}
