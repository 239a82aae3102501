import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { eventually, marquee } from './marquee-process.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder for the shared demo catalog. The first test that needs it imports it, all others copy it. */
    demo: string
  }
}

/** Copies a data directory with a small demo catalog into a folder. The original is made once per run. */
export async function copyDemoCatalog(to: string): Promise<void> {
  const folder = inject('demo')
  const original = join(folder, 'made')
  if (claim(folder)) await make(folder, original)
  else await eventually(async () => existsSync(original) || undefined, 60)
  cpSync(original, to, { recursive: true })
}

/** Whether this process is the first of the run to get here. */
function claim(folder: string): boolean {
  try {
    mkdirSync(join(folder, 'asked'))
    return true
  } catch {
    return false
  }
}

async function make(folder: string, target: string): Promise<void> {
  const feed = join(folder, 'feed.ndjson')
  const data = join(folder, 'data')
  for (const args of [
    ['demo', '--shows', '150', '--countries', '2', '--seed', '7', '--out', feed],
    ['import', feed],
  ]) {
    const { code, stderr } = await marquee(args, { MARQUEE_DATA: data })
    if (code !== 0) throw new Error(`marquee ${args[0]} failed: ${stderr}`)
  }
  renameSync(data, target)
}
