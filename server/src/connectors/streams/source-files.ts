import { createReadStream, type ReadStream, statSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type FeedLine, readFeedLines } from '../../ingest/lines/feed-lines.ts'
import { FeedReader } from '../../ingest/lines/feed-reader.ts'
import { canUseThreads } from '../../lib/threads.ts'
import { ConnectorError, type OpenFeed } from '../connector.ts'

/** Opens a source of one file as a feed. Each pass reads the file from the start. */
export async function openFileFeed(
  path: string,
  read: (stream: ReadStream) => AsyncIterable<FeedLine>,
): Promise<OpenFeed> {
  const stats = await stat(path)
  if (!stats.isFile()) throw new ConnectorError('it is no file')
  if (stats.size === 0) throw new ConnectorError('it is empty')
  let stream: ReadStream | undefined
  return {
    lines: () => {
      stream = createReadStream(path)
      return read(stream)
    },
    progress: () => (stream === undefined ? 0 : (stream.bytesRead - stream.readableLength) / stats.size),
    dispose: async () => {},
  }
}

/** A smaller file is read before a thread has started. */
const MIN_THREAD_BYTES = 1024 * 1024

/** Opens a file in the native format. A large one is read in a thread. */
export async function openNativeFeed(path: string): Promise<OpenFeed> {
  const feed = await openFileFeed(path, readFeedLines)
  const { size } = await stat(path)
  if (size < MIN_THREAD_BYTES || !canUseThreads()) return feed
  let reader: FeedReader | undefined
  return {
    ...feed,
    lines: () => {
      reader = new FeedReader(path)
      return reader.lines()
    },
    progress: () => (reader?.bytesRead ?? 0) / size,
  }
}

/** The files of a source that has several, with the progress over all of them. */
export class PagedFiles {
  readonly paths: readonly string[]
  private readonly plannedBytes: number
  /** Sizes of files that were opened without being planned, such as further pages of a feed. */
  private readonly unplanned = new Map<string, number>()
  private readBytes = 0
  private stream: ReadStream | undefined

  private constructor(paths: readonly string[], plannedBytes: number) {
    this.paths = paths
    this.plannedBytes = plannedBytes
  }

  /**
   * The file at a path, or the matching files of a folder, sorted by name.
   * @param description of the expected files, for the error message: "file whose name ends in .json"
   */
  static async find(path: string, pattern: RegExp, description: string): Promise<PagedFiles> {
    if (!(await stat(path)).isDirectory()) return PagedFiles.fromPaths([path])
    const paths = (await readdir(path))
      .filter((name) => pattern.test(name))
      .sort()
      .map((name) => join(path, name))
    if (paths.length === 0) throw new ConnectorError(`the folder holds no ${description}`)
    return PagedFiles.fromPaths(paths)
  }

  /** @param paths of the files that are read in a pass; one that is read twice is listed twice */
  static async fromPaths(paths: readonly string[]): Promise<PagedFiles> {
    const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size))
    return new PagedFiles(
      paths,
      sizes.reduce((sum, size) => sum + size, 0),
    )
  }

  /** Starts a new pass. */
  rewind(): void {
    this.readBytes = 0
    this.stream = undefined
  }

  /** Opens a file. Only one file is open at a time. */
  open(path: string): ReadStream {
    this.readBytes += this.stream?.bytesRead ?? 0
    this.stream = this.peek(path)
    if (!this.paths.includes(path)) this.unplanned.set(path, statSync(path).size)
    return this.stream
  }

  /** Opens a file to look into it ahead of the pass; it does not count as read. */
  peek(path: string): ReadStream {
    return createReadStream(path, { highWaterMark: 1 << 20 })
  }

  /** The share of all bytes that the current pass has read, from 0 to 1. */
  progress(): number {
    const { plannedBytes, unplanned, readBytes, stream } = this
    const totalBytes = [...unplanned.values()].reduce((sum, size) => sum + size, plannedBytes)
    return totalBytes === 0 ? 1 : Math.min(1, (readBytes + (stream?.bytesRead ?? 0)) / totalBytes)
  }
}
