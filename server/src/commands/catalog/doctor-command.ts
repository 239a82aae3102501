import type { Command } from 'commander'
import { Catalog } from '../../catalog/catalog.ts'
import { readSettings } from '../../config.ts'
import { readScheduleStatus } from '../../connectors/schedule/schedule-status.ts'
import { examineCatalog } from '../../doctor/examine-catalog.ts'
import type { CheckName, DoctorReport, Finding } from '../../doctor/finding.ts'
import { systemClock } from '../../lib/clock.ts'
import { stripControls } from '../../lib/text/printable.ts'
import { openExistingCatalog } from '../../runtime/open-ledger.ts'
import { formatCount, formatNumber, Progress } from '../../runtime/progress.ts'
import type { JsonFlag } from '../terminal/flags.ts'
import { printJson, printLines } from '../terminal/output.ts'

/** What each check counts, and what its findings mean. */
const CHECK_TEXTS: Readonly<Record<CheckName, Readonly<Record<'one' | 'other' | 'meaning', string>>>> = {
  shows_without_offers: {
    one: 'show without offers',
    other: 'shows without offers',
    meaning: 'No source says where they can be watched, so filters never find them.',
  },
  offers_without_links: {
    one: 'offer without a link',
    other: 'offers without links',
    meaning: 'They are live, and lead to the home page of the service at best.',
  },
  sources_disagree: {
    one: 'offer about which sources disagree',
    other: 'offers about which sources disagree',
    meaning: 'The source that was imported first is probably out of date.',
  },
  likely_duplicates: {
    one: 'likely duplicate',
    other: 'likely duplicates',
    meaning: 'Title, type and year are those of another show, and no id or person says otherwise.',
  },
  services_with_two_ids: {
    one: 'service with two ids',
    other: 'services with two ids',
    meaning: 'Sources name one service differently; each id with the number of its shows.',
  },
  unmapped_genres: {
    one: 'unmapped genre',
    other: 'unmapped genres',
    meaning: 'Names of sources that are no standard genre, with the number of shows. Map them, or give them names.',
  },
  stale_sources: {
    one: 'stale source',
    other: 'stale sources',
    meaning: 'Behind their schedule, older than a month, or incomplete.',
  },
  open_files: {
    one: 'file that others can read',
    other: 'files that others can read',
    meaning: 'Keys, accounts and the catalog are for the user alone who runs the service.',
  },
}

/** Adds `marquee doctor`. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check the catalog for what an operator should mend, with the command that mends it')
    .option('--json', 'print one JSON object')
    .action(async (flags: JsonFlag) => {
      const { dataDir, sourcesFile } = readSettings(process.env)
      const environment = openExistingCatalog(dataDir)
      const progress = new Progress()
      try {
        const now = systemClock()
        const report = await examineCatalog(new Catalog(environment), {
          schedule: readScheduleStatus(sourcesFile, dataDir, now),
          dataDir,
          now,
          onProgress: (label, done, fraction) => progress.update(label, done, () => fraction),
        })
        progress.end()
        if (flags.json === true) printJson(report)
        else printReport(report)
      } finally {
        await environment.root.close()
      }
    })
}

function printReport({ shows, version, findings }: DoctorReport): void {
  const found = findings.filter(({ count }) => count > 0)
  printLines(`version ${version}: ${formatCount(shows, 'show')} checked`)
  for (const finding of found) printFinding(finding)
  const clean = findings.filter(({ count }) => count === 0).map(({ check }) => CHECK_TEXTS[check].other)
  if (clean.length > 0) printLines('', `no ${clean.join(', no ')}`)
}

function printFinding({ check, count, examples }: Finding): void {
  const { one, other, meaning } = CHECK_TEXTS[check]
  const commands = [...new Set(examples.map(({ command }) => command))]
  printLines(
    '',
    formatCount(count, one, other),
    `  ${meaning}`,
    // A title with a line break must not look like a command.
    ...examples.map(({ subject, details }) => stripControls(`  - ${subject}: ${details.join(', ')}`)),
    ...(count > examples.length ? [`  and ${formatNumber(count - examples.length)} more`] : []),
    commands.length === 1 ? '  To mend it:' : '  To mend them:',
    ...commands.map((command) => stripControls(`    ${command}`)),
  )
}
