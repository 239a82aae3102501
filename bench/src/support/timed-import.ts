import { outputOf } from './child.ts'
import { startMarquee } from './marquee-command.ts'
import { type Memory, PeakMemory } from './memory.ts'
import { say } from './progress.ts'

/** What an import took. */
export interface TimedImport {
  readonly name: string
  readonly shows: number
  readonly offers: number
  readonly seconds: number
  readonly memory: Memory
}

/** Imports a feed into a data directory, or into the system of record that the settings name. */
export async function timedImport(
  name: string,
  feed: string,
  data: string,
  settings: NodeJS.ProcessEnv = {},
): Promise<TimedImport> {
  say(`import: ${name}`)
  const started = performance.now()
  const child = startMarquee(['import', feed, '--json'], data, settings)
  const peak = new PeakMemory(child.pid!)
  const report = JSON.parse(await outputOf(child, 'marquee import')) as { shows: number; offers: number }
  const seconds = (performance.now() - started) / 1000
  return { name, shows: report.shows, offers: report.offers, seconds, memory: peak.stop() }
}
