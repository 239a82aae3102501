import type { Command } from 'commander'
import { Catalog } from '../../catalog/catalog.ts'
import { readSettings } from '../../config.ts'
import { type DecisionResult, IdentityEditor } from '../../ingest/decisions/identity-editor.ts'
import { type ListedIdentity, type ListedShow, listIdentities } from '../../ingest/decisions/list-identities.ts'
import { withImportLock } from '../../ingest/import-lock.ts'
import { systemClock } from '../../lib/clock.ts'
import { UserError } from '../../lib/errors.ts'
import { openExistingCatalog, openLedger, QUICK_PAGE_CHECK_MS } from '../../runtime/open-ledger.ts'
import { formatCount, Progress } from '../../runtime/progress.ts'
import { type JsonFlag, parseChoice, parseWholeNumber } from '../terminal/flags.ts'
import { formatInstant, printImportWait, printJson, printLines } from '../terminal/output.ts'

const KINDS = ['joined', 'apart', 'decided'] as const
type Kind = (typeof KINDS)[number]

interface ListFlags extends JsonFlag {
  readonly only?: Kind
  readonly show?: string
  readonly source?: string
  readonly limit: number
}

/** What each decision does, for the help and for the report. */
const DECISIONS = {
  join: ['make two shows one for good, whatever sources say; A stays, and the ids of B lead to it', 'show B'],
  part: [
    'keep two shows apart for good, or split a record off a show that it was joined to',
    'show B, a show that was merged into A, or a record of A as SOURCE/KEY, or all of a SOURCE',
  ],
  undo: ['take back what was decided about two shows', 'show B'],
} as const

/** Adds `marquee identities`. */
export function addIdentitiesCommands(program: Command): void {
  const identities = program
    .command('identities')
    .description('list which records are one show and why, and join or part shows for good')
    .option('--only <kind>', `one of ${KINDS.join(', ')}`, (text) => parseChoice('--only', text, KINDS))
    .option('--show <id>', 'only what concerns this show, by any of its ids')
    .option('--source <name>', 'only shows with a record of this source')
    .option(
      '--limit <n>',
      'print at most this many of each kind',
      (text) => parseWholeNumber('--limit', text, 0, 1e9),
      20,
    )
    .option('--json', 'print one JSON object')
    .action((flags: ListFlags) => list(flags))
  for (const [name, [description, other]] of Object.entries(DECISIONS)) {
    identities
      .command(name)
      .description(description)
      .argument('<A>', 'show A, by any of its ids')
      .argument('<B>', other)
      .option('--json', 'print one JSON object')
      // `--json` is an option of the parent, too, which takes it first.
      .action((a: string, b: string, _: JsonFlag, command: Command) =>
        decide(name as keyof typeof DECISIONS, a, b, command.optsWithGlobals()),
      )
  }
}

async function list({ only, show, source, limit, json }: ListFlags): Promise<void> {
  const environment = openExistingCatalog(readSettings(process.env).dataDir, { pageCheckMs: QUICK_PAGE_CHECK_MS })
  const progress = new Progress()
  try {
    const catalog = new Catalog(environment)
    if (show !== undefined && catalog.findDoc(show) === undefined) throw new UserError(`There is no show ${show}`)
    const onProgress = (done: number, total: number) => progress.update('shows', done, () => done / total)
    catalog.buildIdentityIndex(onProgress)
    const counts: Record<Kind, number> = { joined: 0, apart: 0, decided: 0 }
    const listed: ListedIdentity[] = []
    for (const entry of listIdentities(catalog, { show, source, onProgress })) {
      if (only !== undefined && entry.kind !== only) continue
      if (counts[entry.kind]++ < limit) listed.push(entry)
    }
    progress.end()
    if (json === true) printJson({ counts, ...groupByKind(listed) })
    else printIdentities(listed, counts, only)
  } finally {
    progress.end()
    await environment.root.close()
  }
}

function groupByKind(listed: readonly ListedIdentity[]): Record<Kind, object[]> {
  const groups: Record<Kind, object[]> = { joined: [], apart: [], decided: [] }
  for (const { kind, ...entry } of listed) groups[kind].push(entry)
  return groups
}

const HEADINGS: Record<Kind, string> = {
  joined: 'joined',
  apart: 'left apart, though their titles agree',
  decided: 'decided by an operator',
}

function printIdentities(
  listed: readonly ListedIdentity[],
  counts: Record<Kind, number>,
  only: Kind | undefined,
): void {
  for (const kind of KINDS) {
    if (only !== undefined && kind !== only) continue
    const entries = listed.filter((entry) => entry.kind === kind)
    const shown = entries.length < counts[kind] ? `, the first ${entries.length}` : ''
    printLines(`${formatCount(counts[kind], kind === 'apart' ? 'pair' : 'show')} ${HEADINGS[kind]}${shown}`)
    for (const entry of entries) printLines(...describeEntry(entry))
    printLines('')
  }
}

function describeEntry(entry: ListedIdentity): string[] {
  if (entry.kind === 'joined') {
    const merged = entry.merged === undefined ? [] : [`    merged: ${entry.merged.join(', ')}`]
    return [
      `  ${describeShow(entry)}`,
      ...entry.records.map(({ source, key, by }) => `    ${source}/${key} by ${by.replaceAll('+', ', ')}`),
      ...merged,
    ]
  }
  if (entry.kind === 'apart') {
    const [one, other] = entry.shows
    return [`  ${describeShow(one)} and ${describeShow(other)}`, `    ${entry.why.join(', ')}`]
  }
  const decisions = entry.decisions.map(({ kind, show, at }) => `    ${kind} ${show}, ${formatInstant(at)}`)
  return [`  ${describeShow(entry)}`, ...decisions]
}

function describeShow({ id, showType, title, year }: ListedShow): string {
  return `${id} ${title} (${year === undefined ? showType : `${showType}, ${year}`})`
}

async function decide(name: keyof typeof DECISIONS, a: string, b: string, { json }: JsonFlag): Promise<void> {
  const settings = readSettings(process.env)
  await openExistingCatalog(settings.dataDir).root.close()
  const ledger = await openLedger(settings, 'import')
  try {
    const now = systemClock()
    const what = `${name} ${a} ${b}`
    const result = await withImportLock(ledger, { what, now, onWait: printImportWait }, async () => {
      ledger.catalog.buildIdentityIndex()
      let decided: DecisionResult | undefined
      await ledger.commit(() => {
        decided = new IdentityEditor(ledger.catalog, systemClock())[name](a, b)
        return [decided.batch]
      })
      return decided as DecisionResult | undefined
    })
    if (result === undefined) return
    const { what: outcome, shows } = result
    if (json === true) printJson({ outcome, shows, changes: result.batch.changes.length })
    else printLines(describeOutcome(result))
  } finally {
    await ledger.close()
  }
}

function describeOutcome({ what, shows: [one, other] }: DecisionResult): string {
  if (what === 'joined')
    return `${other} is ${one} from now on; \`marquee identities undo ${one} ${other}\` takes it back.`
  if (what === 'parted') {
    return `${one} and ${other} are two shows from now on; \`marquee identities undo ${one} ${other}\` takes it back.`
  }
  return what === 'unjoined'
    ? `${one} and ${other} are two shows again, until a source proves them to be one.`
    : `Nothing keeps ${one} and ${other} apart any more.`
}
