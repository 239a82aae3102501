import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { formatValue, isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { UserError } from '../../lib/user-error.ts'

/** The content of `sources.json` as an object; a plain list is one of scheduled sources. Empty if there is no such file. */
export function readSourcesContent(file: string): JsonObject {
  if (!existsSync(file)) return { sources: [] }
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UserError(`${file} is not JSON: ${(error as Error).message}`)
  }
  if (Array.isArray(content)) return { sources: content }
  if (isObject(content)) return content
  throw new UserError(`${file} holds ${formatValue(content)}; a list of sources is needed`)
}

/** Replaces `sources.json` atomically; it is made if it is missing. */
export function writeSourcesContent(file: string, content: object): void {
  mkdirSync(dirname(file), { recursive: true })
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}`)
  writeFileSync(draft, formatSourcesContent(content))
  renameSync(draft, file)
}

/** The text of `sources.json`. */
export function formatSourcesContent(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`
}
