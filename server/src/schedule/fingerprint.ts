import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Names a file or a folder as it is now: the same as long as no file in it is written, added or removed. */
export function fingerprint(path: string): string {
  const hash = createHash('sha256')
  const about = statSync(path)
  const files = about.isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort() : ['']
  for (const file of files) {
    const { size, mtimeMs, ino } = statSync(join(path, file))
    hash.update(JSON.stringify([file, size, mtimeMs, ino]))
  }
  return hash.digest('base64url')
}
