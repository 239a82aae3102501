import type { Command } from 'commander'
import { Catalog } from '../../catalog/catalog.ts'
import { hasCatalog } from '../../catalog/storage/environment.ts'
import { readSettings } from '../../config.ts'
import { ALL_FIELDS, readSourceRanks, writeSourceRanks } from '../../connectors/schedule/source-ranks-file.ts'
import { stripControls } from '../../lib/text/printable.ts'
import { UserError } from '../../lib/user-error.ts'
import { isSourceName, SOURCE_NAME_RULE } from '../../model/source.ts'
import { isRankedField, NO_RANKS, RANKED_FIELDS, type SourceRanks } from '../../model/source-ranks.ts'
import { openExistingCatalog, QUICK_PAGE_CHECK_MS } from '../../runtime/open-ledger.ts'
import type { JsonFlag } from '../terminal/flags.ts'
import { printJson, printLines, printTable } from '../terminal/output.ts'

interface RankFlags extends JsonFlag {
  readonly field?: string
  readonly clear?: boolean
}

/** Adds `marquee sources rank`. */
export function addRankCommand(sources: Command): void {
  sources
    .command('rank')
    .description('show or set which sources have precedence for titles, overviews, people and other details')
    .argument('[source...]', 'the sources, best first; they replace the known order. Without any, the order is printed')
    .option('--field <name>', `only for this field: ${RANKED_FIELDS.join(', ')}`)
    .option('--clear', 'remove the order: of the field, or of all fields')
    .option('--json', 'print one JSON object')
    .action(async (names: string[], flags: RankFlags) => {
      const { sourcesFile, dataDir } = readSettings(process.env)
      const before = readSourceRanks(sourcesFile)
      checkFlags(names, flags)
      const isSet = names.length > 0 || flags.clear === true
      const ranks = isSet ? changeRanks(before, names, flags) : before
      if (isSet) writeSourceRanks(sourcesFile, ranks)
      const unknown = isSet ? await findUnknown(names, dataDir) : []
      if (flags.json === true) printJson({ file: sourcesFile, ...ranks, ...(isSet && { unknown }) })
      else printRanks(ranks, isSet)
      if (unknown.length === 0 || flags.json === true) return
      process.stderr.write(
        stripControls(`marquee: Nothing was imported from ${unknown.join(', ')} so far`).concat('\n'),
      )
    })
}

function checkFlags(names: readonly string[], { field, clear }: RankFlags): void {
  if (field !== undefined && !isRankedField(field)) {
    throw new UserError(`--field is "${field}"; it must be one of ${RANKED_FIELDS.join(', ')}`)
  }
  if (clear === true && names.length > 0) throw new UserError('Give either sources or --clear')
  const invalid = names.find((name) => !isSourceName(name))
  if (invalid !== undefined) {
    throw new UserError(`The source is ${JSON.stringify(invalid.slice(0, 40))}; it must be ${SOURCE_NAME_RULE}`)
  }
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new UserError(`The source "${twice}" is given twice`)
}

function changeRanks(before: SourceRanks, names: readonly string[], { field, clear }: RankFlags): SourceRanks {
  if (field === undefined) return clear === true ? NO_RANKS : { ...before, all: names }
  const others = Object.entries(before.fields).filter(([name]) => name !== field)
  const fields = Object.fromEntries(clear === true ? others : [...others, [field, names]])
  return { ...before, fields }
}

/** The named sources that the catalog does not know: they may be misspelt, or imported later. */
async function findUnknown(names: readonly string[], dataDir: string): Promise<string[]> {
  if (names.length === 0 || !hasCatalog(dataDir)) return [...names]
  const environment = openExistingCatalog(dataDir, { pageCheckMs: QUICK_PAGE_CHECK_MS })
  try {
    const catalog = new Catalog(environment)
    const known = new Set([
      ...catalog.sources().map(({ name }) => name),
      ...Object.keys(catalog.counts().offersBySource),
    ])
    return names.filter((name) => !known.has(name))
  } finally {
    await environment.root.close()
  }
}

function printRanks({ all, fields }: SourceRanks, isSet: boolean): void {
  const rows = [...(all.length > 0 ? [[ALL_FIELDS, all] as const] : []), ...Object.entries(fields)]
  if (rows.length === 0) printLines('No source is ranked: the latest record of a show decides its details.')
  else
    printTable(
      ['field', 'sources, best first'],
      rows.map(([field, names]) => [field, names.join(', ')]),
    )
  if (isSet) printLines('', 'It applies from the next import of each source on.')
}
