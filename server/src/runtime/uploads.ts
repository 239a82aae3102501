import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { UserError } from '../lib/errors.ts'
import { makeFolder } from '../lib/files.ts'
import { formatNumber } from './progress.ts'

/** The largest file that an admin may upload. */
const MAX_UPLOAD_BYTES = 4 * 1024 ** 3

/** What stays free on the disk beside an upload: the import itself needs space, too. */
const MIN_FREE_BYTES = 256 * 1024 ** 2

/** An upload that got nothing for this long was given up. */
const ABANDONED_AFTER_MS = 3_600_000

const UPLOAD_ID = /^[\w-]{24}$/
const UNFINISHED = '.part'

const UNKNOWN = 'This upload is not known here, or was given up; start it again'

/**
 * Files that admins upload, in a folder of the data directory. They arrive in pieces, each in a request of its own: a
 * request has to arrive within 30 seconds, proxies limit bodies to about a megabyte, and any worker may get the next
 * piece. The size of the file is the position of the next piece, so processes share no other state.
 */
export class Uploads {
  private readonly folder: string

  constructor(dataDirectory: string) {
    this.folder = join(dataDirectory, 'uploads')
  }

  /** Starts an upload of so many bytes, and deletes those that were given up. Returns its id. */
  create(bytes: number, nowMs = Date.now()): string {
    if (bytes > MAX_UPLOAD_BYTES) {
      const limit = formatBytes(MAX_UPLOAD_BYTES)
      throw new UserError(`The file has ${formatBytes(bytes)}; an upload may have ${limit}. Use \`marquee import\``)
    }
    makeFolder(this.folder)
    this.deleteAbandoned(nowMs)
    const { bavail, bsize } = statfsSync(this.folder)
    if (bavail * bsize < bytes + MIN_FREE_BYTES) {
      throw new UserError(`The disk has ${formatBytes(bavail * bsize)} left, which is too little for the file`)
    }
    const id = randomBytes(18).toString('base64url')
    closeSync(openSync(this.partPath(id), 'wx', 0o600))
    return id
  }

  /** Appends a piece at the position where the upload ends. Returns the new end; throws if the piece is not the next one. */
  append(id: string, offset: number, piece: Uint8Array): number {
    const path = this.partPath(id)
    const size = existsSync(path) ? statSync(path).size : undefined
    if (size === undefined) throw new UserError(UNKNOWN)
    if (offset !== size) throw new UserError(`The upload has ${size} bytes, so the next piece begins there`)
    if (size + piece.length > MAX_UPLOAD_BYTES) {
      throw new UserError(`An upload may have ${formatBytes(MAX_UPLOAD_BYTES)}`)
    }
    const file = openSync(path, 'r+')
    try {
      for (let written = 0; written < piece.length; ) {
        written += writeSync(file, piece, written, piece.length - written, size + written)
      }
    } finally {
      closeSync(file)
    }
    return size + piece.length
  }

  /** Ends an upload. Returns the path of the file, whose name ends as the given one does: formats are told by it. */
  finish(id: string, name: string): string {
    const path = this.partPath(id)
    if (!existsSync(path)) throw new UserError(UNKNOWN)
    const folder = join(this.folder, id)
    makeFolder(folder)
    const file = join(
      folder,
      basename(name)
        .replace(/[^\w.-]/g, '_')
        .replace(/^\.+/, '')
        .slice(-100) || 'feed',
    )
    renameSync(path, file)
    return file
  }

  /** Deletes an upload, finished or not. */
  delete(id: string): void {
    rmSync(this.partPath(id), { force: true })
    rmSync(join(this.folder, id), { recursive: true, force: true })
  }

  /** Deletes what a service that was killed left behind. */
  clear(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  private deleteAbandoned(nowMs: number): void {
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name)
      const stats = name.endsWith(UNFINISHED) ? statSync(path, { throwIfNoEntry: false }) : undefined
      if (stats !== undefined && nowMs - stats.mtimeMs > ABANDONED_AFTER_MS) rmSync(path, { force: true })
    }
  }

  private partPath(id: string): string {
    if (!UPLOAD_ID.test(id)) throw new UserError(UNKNOWN)
    return join(this.folder, id + UNFINISHED)
  }
}

function formatBytes(bytes: number): string {
  return `${formatNumber(Math.ceil(bytes / 1e6))} MB`
}
