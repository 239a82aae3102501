import type { Catalog } from '../catalog/catalog.ts'
import type { ScheduleStatus } from '../connectors/schedule/schedule-status.ts'
import { ownEntry } from '../lib/objects.ts'
import { formatTime, SECONDS_PER_DAY, startOfDay } from '../model/time.ts'
import type { MendingCommands } from './commands.ts'
import { countNoun, type Finding, FindingBuilder } from './finding.ts'

/** A source without a schedule is stale after this many days: offers change every month. */
const MAX_AGE_DAYS = 31

/** Sources that are behind their schedule, were not imported for a month, or whose last feed was incomplete. */
export function checkSources(
  catalog: Catalog,
  schedule: ScheduleStatus,
  commands: MendingCommands,
  now: number,
): Finding {
  const finding = new FindingBuilder('stale_sources')
  const { offersBySource } = catalog.counts()
  const imports = new Map(catalog.sources().map(({ name, lastImport }) => [name, lastImport]))
  const scheduled = new Map(schedule.sources.map((one) => [one.source, one]))
  const names = new Set([...imports.keys(), ...Object.keys(offersBySource), ...scheduled.keys()])
  for (const name of [...names].sort()) {
    const lastImport = imports.get(name)
    const run = scheduled.get(name)
    const age = lastImport === undefined ? undefined : Math.floor((now - lastImport.at) / SECONDS_PER_DAY)
    const isStale = run === undefined ? age === undefined || age > MAX_AGE_DAYS : run.stale
    const isIncomplete = lastImport?.complete === false
    if (!isStale && !isIncomplete) continue
    finding.add(() => ({
      subject: name,
      details: [
        lastImport === undefined ? 'never imported' : `imported ${formatTime(startOfDay(lastImport.at))}`,
        countNoun(ownEntry(offersBySource, name) ?? 0, 'offer'),
        ...(isIncomplete ? ['incomplete'] : []),
        ...(run?.problem === undefined ? [] : [run.problem]),
      ],
      command: commands.refresh(name),
    }))
  }
  return finding.build()
}
