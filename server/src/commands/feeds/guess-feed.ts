import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import type { Catalog } from '../../catalog/catalog.ts'
import { guessTable, type TableGuess } from '../../connectors/csv/guess/open-guess.ts'
import type { GivenOptions } from '../../connectors/framework/connector.ts'
import { UserError } from '../../lib/user-error.ts'
import { printLines } from '../terminal/output.ts'
import { printGuess } from './print-guess.ts'

/** What is done with a guessed mapping. */
interface GuessOptions {
  /** Where the mapping is written; by default beside the table. */
  readonly mappingFile?: string | undefined
  /** Whether the table is imported afterwards; otherwise nothing is written and nobody is asked. */
  readonly apply: boolean
  readonly yes: boolean
  readonly json: boolean
  /** Asks the operator; undefined if there is nobody to ask. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
}

/** A mapping to import a table with. */
export interface AcceptedMapping {
  readonly mapping: object
  /** The file that it is in, if it was written. */
  readonly file?: string
}

/**
 * Makes a mapping for a table, shows it with some rows as they would be read, and asks whether it is right. Undefined if
 * the operator does not want the import.
 */
export async function guessFeedMapping(
  path: string,
  given: GivenOptions,
  catalog: Catalog,
  { mappingFile = toMappingFile(path), apply, yes, json, ask }: GuessOptions,
): Promise<AcceptedMapping | undefined> {
  const mustAsk = apply && !yes
  if (mustAsk && (json || ask === undefined)) {
    throw new UserError(
      'Nobody can be asked whether the guessed mapping is right: look at it with ' +
        '"marquee validate --guess", then import with --yes',
    )
  }
  if (path === '-') throw new UserError('--guess needs a file; standard input can be read only once')
  const guess = await guessTable(path, given, catalog)
  if (!json) printGuess(path, guess)
  if (guess.problems.length > 0) {
    throw new UserError([`The table ${path} needs more than it says itself.`, ...guess.problems].join('\n'))
  }
  const { mapping } = guess
  if (!apply) return { mapping }
  checkMappingFile(mappingFile, guess)
  const answer = mustAsk && ask !== undefined ? await askUntilClear(ask) : 'yes'
  if (answer === 'no') {
    printLines('Nothing was imported.')
    return undefined
  }
  writeFileSync(mappingFile, formatMapping(mapping))
  if (!json) printLines(`The mapping is in ${mappingFile}.`)
  if (answer === 'yes') return { mapping, file: mappingFile }
  printLines(`Change it, and import with: marquee import --mapping ${mappingFile} ${path}`)
  return undefined
}

/** Throws if there is another mapping, which may have been edited by hand. */
function checkMappingFile(file: string, { mapping }: TableGuess): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') === formatMapping(mapping)) return
  throw new UserError(
    `${file} exists and differs from what is guessed now. Import with --mapping ${file}, delete it to guess anew, ` +
      'or name another file for the guessed mapping with --guess --mapping <file>',
  )
}

const QUESTION = '\nImport the table with this mapping? [y]es, [n]o, [w]rite the mapping only: '

async function askUntilClear(ask: (question: string) => Promise<string>): Promise<'yes' | 'no' | 'write'> {
  for (;;) {
    const answer = (await ask(QUESTION)).trim().toLowerCase()
    if (/^(y|yes)$/.test(answer)) return 'yes'
    if (/^(w|write)$/.test(answer)) return 'write'
    if (/^(n|no|)$/.test(answer)) return 'no'
  }
}

/** Asks on the terminal; undefined if standard input is none. */
export function terminalAsk(): ((question: string) => Promise<string>) | undefined {
  if (!process.stdin.isTTY) return undefined
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return await terminal.question(question)
    } finally {
      terminal.close()
    }
  }
}

function formatMapping(mapping: object): string {
  return `${JSON.stringify(mapping, null, 2)}\n`
}

/** The file beside a table that its mapping is written to: `titles.mapping.json` of `titles.csv.gz`. */
function toMappingFile(path: string): string {
  return `${path.replace(/\.gz$/i, '').replace(/\.(csv|tsv|txt)$/i, '')}.mapping.json`
}
