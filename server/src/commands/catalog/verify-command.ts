import type { Command } from 'commander'
import type { CatalogProblem } from '../../catalog/verify/catalog-problems.ts'
import type { VerifyReport } from '../../catalog/verify/verify-catalog.ts'
import { readSettings, type Settings } from '../../config.ts'
import { systemClock } from '../../lib/clock.ts'
import { UserError } from '../../lib/errors.ts'
import { findManifestProblems, readManifest } from '../../runtime/backup-manifest.ts'
import { openExistingCatalog } from '../../runtime/open-ledger.ts'
import { formatCount, Progress } from '../../runtime/progress.ts'
import { rebuildDataFolder } from '../../runtime/rebuild-folder.ts'
import { copyReplicaAgain, verifyDataFolder, verifyOtherFiles } from '../../runtime/verify-folder.ts'
import type { JsonFlag } from '../terminal/flags.ts'
import { printJson, printLines } from '../terminal/output.ts'

/** What a repair did. */
interface Repair {
  /** Where the former catalog is; undefined on a node, which copies its catalog from PostgreSQL. */
  readonly previous?: string
  /** What could not be read and is left out. */
  readonly lost: readonly CatalogProblem[]
}

/** Adds `marquee verify`. */
export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description('check the catalog against itself, on a node also against the log; or a backup against its manifest')
    .argument('[backup]', 'a folder that `marquee backup` made; without it, the catalog of the data folder')
    .option('--repair', 'build what is wrong anew from the documents; the service must be stopped')
    .option('--json', 'print one JSON object')
    .action(async (backup: string | undefined, { repair, json }: { repair?: boolean } & JsonFlag) => {
      if (backup === undefined) await verifyFolder(readSettings(process.env), repair === true, json === true)
      else if (repair !== true) verifyBackup(backup, json === true)
      else throw new UserError('A backup cannot be repaired; name the folder with --data instead to repair its catalog')
    })
}

function verifyBackup(backup: string, json: boolean): void {
  const manifest = readManifest(backup)
  if (manifest === undefined) {
    throw new UserError(`The folder ${backup} is no complete backup: it has no backup.json`)
  }
  const problems = findManifestProblems(backup, manifest, true)
  const { catalog, keys, files, madeAt } = manifest
  if (json) printJson({ backup, madeAt, ...catalog, keys, files: files.length, problems })
  else if (problems.length > 0) printLines(`${backup} is damaged:`, ...problems.map((problem) => `  ${problem}`))
  else {
    const contents = `${formatCount(catalog.shows, 'show')}, ${formatCount(catalog.offers, 'offer')}`
    printLines(
      `${backup} is whole: ${formatCount(files.length, 'file')}, version ${catalog.version}`,
      `  ${contents}, ${formatCount(keys, 'key')}`,
    )
  }
  if (problems.length > 0) process.exitCode = 1
}

/** Verifies the catalog of the data folder and, if that is wanted and needed, repairs and verifies it again. */
async function verifyFolder({ dataDir, databaseUrl }: Settings, wantsRepair: boolean, json: boolean): Promise<void> {
  // A repair reads what LMDB still finds, whatever state its pages are in.
  await openExistingCatalog(dataDir, wantsRepair ? { pageCheckMs: 0 } : {}).root.close()
  await verifyOtherFiles(dataDir)
  const verify = () => withProgress((onProgress) => verifyDataFolder(dataDir, { databaseUrl, onProgress }))
  const report = await verify()
  const needsRepair = wantsRepair && report.problems.length > 0
  const repaired = needsRepair ? await repairFolder(dataDir, databaseUrl) : undefined
  const after = repaired === undefined ? undefined : await verify()
  if (json) printJson({ data: dataDir, ...report, ...(after !== undefined && { repair: { ...repaired, ...after } }) })
  else
    printLines(
      ...describeReport(dataDir, databaseUrl !== undefined, report),
      ...(after ? describeRepair(dataDir, repaired as Repair, after) : []),
    )
  if ((after ?? report).problems.length > 0 || (repaired?.lost ?? []).length > 0) process.exitCode = 1
}

/** Builds the catalog anew from its documents; a node copies it again from PostgreSQL. */
async function repairFolder(dataDir: string, databaseUrl: string | undefined): Promise<Repair> {
  if (databaseUrl === undefined) {
    const { previous, lost } = await withProgress((onProgress) =>
      rebuildDataFolder(dataDir, { reason: 'repair', at: systemClock(), onProgress }),
    )
    return { previous, lost }
  }
  await withProgress((onProgress) =>
    copyReplicaAgain(dataDir, databaseUrl, (done, total) => onProgress('shows copied from PostgreSQL', done, total)),
  )
  return { lost: [] }
}

async function withProgress<T>(
  work: (onProgress: (label: string, done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  const progress = new Progress()
  try {
    return await work((label, done, total) => progress.update(label, done, () => done / Math.max(total, 1)))
  } finally {
    progress.end()
  }
}

function describeReport(
  dataDir: string,
  isReplica: boolean,
  { problems, version, documents, shows, offers }: VerifyReport,
): string[] {
  const contents = `version ${version}, ${formatCount(documents, 'document')}, ${formatCount(shows, 'show')}, ${formatCount(offers, 'offer')}`
  if (problems.length === 0) return [`The catalog in ${dataDir} is whole: ${contents}`]
  return [
    `The catalog in ${dataDir} is damaged: ${contents}`,
    ...problems.flatMap(describeProblem),
    describeRemedy(problems, isReplica),
  ]
}

function describeRemedy(problems: readonly CatalogProblem[], isReplica: boolean): string {
  if (isReplica) return 'Nothing is lost: `marquee verify --repair` copies the catalog again from PostgreSQL.'
  return problems.every(({ repairable }) => repairable)
    ? 'Nothing is lost: `marquee verify --repair` builds all of it from the documents.'
    : 'Some of it is data that nothing else holds: put back a backup with `marquee restore`; without one, ' +
        '`marquee verify --repair` leaves out what cannot be read, and an import brings it again.'
}

function describeRepair(dataDir: string, { previous, lost }: Repair, after: VerifyReport): string[] {
  return [
    after.problems.length === 0
      ? `It was repaired: version ${after.version}, ${formatCount(after.shows, 'show')}, ${formatCount(after.offers, 'offer')}`
      : `It was repaired, and still has problems:`,
    ...after.problems.flatMap(describeProblem),
    ...(lost.length > 0 ? ['Left out, because it cannot be read:', ...lost.flatMap(describeProblem)] : []),
    ...(previous === undefined ? [] : [`The former catalog is in ${previous}; delete it when ${dataDir} serves well`]),
  ]
}

function describeProblem({ part, problem, count, examples }: CatalogProblem): string[] {
  return [`  ${part}: ${count} ${problem}`, ...examples.map((example) => `    ${example}`)]
}
