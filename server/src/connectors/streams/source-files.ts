import { createReadStream, type ReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import { ConnectorError, type OpenFeed } from '../framework/connector.ts'

/** The pages of a source: one file, or all files of a folder whose names end as they must, in the order of the names. */
export class PagedFiles {
  readonly paths: readonly string[]
  private readonly size: number
  private before = 0
  private stream: ReadStream | undefined

  private constructor(paths: readonly string[], size: number) {
    this.paths = paths
    this.size = size
  }

  /** What `called` says of the names is for people: "file whose name ends in .json". */
  static async find(path: string, names: RegExp, called: string): Promise<PagedFiles> {
    if (!(await stat(path)).isDirectory()) return PagedFiles.fromPaths([path])
    const paths = (await readdir(path))
      .filter((name) => names.test(name))
      .sort()
      .map((name) => join(path, name))
    if (paths.length === 0) throw new ConnectorError(`the folder holds no ${called}`)
    return PagedFiles.fromPaths(paths)
  }

  /** Files that are known by name. */
  static async fromPaths(paths: readonly string[]): Promise<PagedFiles> {
    const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size))
    return new PagedFiles(
      paths,
      sizes.reduce((sum, size) => sum + size, 0),
    )
  }

  /** Begins a new reading. */
  rewind(): void {
    this.before = 0
    this.stream = undefined
  }

  /** Opens a page, one after the other. */
  open(path: string): ReadStream {
    this.before += this.stream?.bytesRead ?? 0
    this.stream = createReadStream(path, { highWaterMark: 1 << 20 })
    return this.stream
  }

  /** How much has been read in the current reading, from 0 to 1. */
  progress(): number {
    return this.size === 0 ? 1 : Math.min(1, (this.before + (this.stream?.bytesRead ?? 0)) / this.size)
  }
}

/** The feed of a source that is one file, read from front to back in each reading. */
export async function openFileFeed(
  path: string,
  read: (stream: ReadStream) => AsyncIterable<FeedLine>,
): Promise<OpenFeed> {
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
