import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { eventually, marquee, runNode } from './marquee-process.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder for the shared demo catalogs. The first test that needs one makes it, all others copy it. */
    demo: string
  }
}

/** Copies a data directory with a small demo catalog into a folder: 150 shows in 2 countries, without a past. */
export function copyDemoCatalog(to: string): Promise<void> {
  return copyShared('small', to, async (data, folder) => {
    const feed = join(folder, 'feed.ndjson')
    await succeed(marquee(['demo', '--shows', '150', '--countries', '2', '--seed', '7', '--out', feed], {}))
    await succeed(marquee(['import', feed], { MARQUEE_DATA: data }))
  })
}

/** Copies a data directory with the demo as a first start makes it, of fewer shows: all real titles, a month of changes. */
export function copySeededDemo(to: string): Promise<void> {
  return copyShared('seeded', to, async (data) => {
    await succeed(runNode([SEEDING_CHILD, '240'], { MARQUEE_DATA: data }))
  })
}

const SEEDING_CHILD = fileURLToPath(new URL('./seeding-child.mjs', import.meta.url))

/** Copies a data directory that is made once per run, by the process that needs it first. */
async function copyShared(
  name: string,
  to: string,
  make: (data: string, folder: string) => Promise<void>,
): Promise<void> {
  const folder = join(inject('demo'), name)
  const original = join(folder, 'made')
  if (claim(folder)) {
    const data = join(folder, 'data')
    await make(data, folder)
    renameSync(data, original)
  } else await eventually(async () => existsSync(original) || undefined)
  cpSync(original, to, { recursive: true })
}

/** Whether this process is the first of the run to get here. */
function claim(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

async function succeed(command: ReturnType<typeof marquee>): Promise<void> {
  const { code, stderr } = await command
  if (code !== 0) throw new Error(`The demo catalog could not be made: ${stderr}`)
}
