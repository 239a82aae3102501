import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { eventually, marquee } from './marquee-process.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder in which the first test that needs the demo catalog makes it, for all others to copy. */
    demo: string
  }
}

/** Puts the data of a demo of a few hundred shows into a folder. It is made once in a run, and then copied. */
export async function copyDemoCatalog(to: string): Promise<void> {
  const folder = inject('demo')
  const made = join(folder, 'made')
  if (isFirst(folder)) await make(folder, made)
  else await eventually(async () => existsSync(made) || undefined, 60)
  cpSync(made, to, { recursive: true })
}

/** Whether this is the first process of the run that asks. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, 'asked'))
    return true
  } catch {
    return false
  }
}

async function make(folder: string, made: string): Promise<void> {
  const feed = join(folder, 'feed.ndjson')
  const data = join(folder, 'data')
  for (const args of [
    ['demo', '--shows', '150', '--countries', '2', '--seed', '7', '--out', feed],
    ['import', feed],
  ]) {
    const { code, stderr } = await marquee(args, { MARQUEE_DATA: data })
    if (code !== 0) throw new Error(`marquee ${args[0]} failed: ${stderr}`)
  }
  renameSync(data, made)
}
