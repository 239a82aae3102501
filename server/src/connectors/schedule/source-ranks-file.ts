import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { formatValue, isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { UserError } from '../../lib/errors.ts'
import {
  isRankedField,
  isSourceName,
  NO_RANKS,
  RANKED_FIELDS,
  type RankedField,
  type SourceRanks,
} from '../../model/source-ranks.ts'

/** The member of `ranks` that holds the order for all fields. */
export const ALL_FIELDS = '*'

/** Parses `ranks` of `sources.json`: by field, or `*` for all fields, the names of sources, best first. */
export function parseRanks(ranks: unknown, addProblem: (problem: string) => void): SourceRanks {
  if (ranks === undefined) return NO_RANKS
  if (!isObject(ranks)) {
    addProblem(`"ranks" is ${formatValue(ranks)}; {"${ALL_FIELDS}":["tmdb","acme"]} is needed`)
    return NO_RANKS
  }
  const fields: Partial<Record<RankedField, readonly string[]>> = {}
  for (const [field, names] of Object.entries(ranks)) {
    if (field !== ALL_FIELDS && !isRankedField(field)) {
      addProblem(`"ranks" has "${field}", which is no field; known are ${ALL_FIELDS}, ${RANKED_FIELDS.join(', ')}`)
    } else if (!isNameList(names)) {
      addProblem(`"ranks.${field}" is ${formatValue(names)}; a list of different names of sources is needed`)
    } else if (isRankedField(field)) fields[field] = names
  }
  const all = ranks[ALL_FIELDS]
  return { all: isNameList(all) ? all : [], fields }
}

function isNameList(names: unknown): names is string[] {
  const isName = (name: unknown) => typeof name === 'string' && isSourceName(name)
  return Array.isArray(names) && names.every(isName) && new Set(names).size === names.length
}

/** The ranks that `sources.json` has; none if there is no such file. A schedule in it may be invalid. */
export function readSourceRanks(file: string): SourceRanks {
  const { ranks } = readSourcesContent(file)
  const problems: string[] = []
  const parsed = parseRanks(ranks, (problem) => problems.push(problem))
  if (problems.length > 0) throw new UserError(`${file} cannot be used:\n${problems.join('\n')}`)
  return parsed
}

/** Replaces the ranks in `sources.json`, which is made if it is missing. The schedule in it stays as it is. */
export function writeSourceRanks(file: string, { all, fields }: SourceRanks): void {
  const { ranks: _, ...others } = readSourcesContent(file)
  const ranks = { ...(all.length > 0 && { [ALL_FIELDS]: all }), ...fields }
  const content = { ...(Object.keys(ranks).length > 0 && { ranks }), ...others }
  writeSourcesContent(file, content)
}

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
