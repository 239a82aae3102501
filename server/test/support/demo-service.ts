import { join } from 'node:path'
import { copyDemoCatalog } from './demo-catalog.ts'
import { atEndOfFile } from './end-of-file.ts'
import { marquee, type RunningService, startMarquee } from './marquee-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A running service with a small demo catalog. */
export interface DemoService extends RunningService {
  /** What commands need to reach the same data. */
  readonly env: Record<string, string>
  /** Makes a key of the plan without limits; more arguments of `marquee keys create` may follow. */
  createKey(...args: string[]): Promise<string>
}

/** Starts the built service on a demo of a few hundred shows. Everything goes with the tests of the file. */
export async function startDemoService(settings: Record<string, string> = {}): Promise<DemoService> {
  const folder = temporaryFolder(atEndOfFile)
  // One worker, so that its count of requests is exact at every moment.
  const env = { MARQUEE_DATA: join(folder, 'data'), MARQUEE_WORKERS: '1', ...settings }
  await copyDemoCatalog(env.MARQUEE_DATA)
  const createKey = async (...args: string[]) => {
    const { stdout, stderr } = await marquee(['keys', 'create', '--plan', 'unlimited', ...args], env)
    if (stdout === '') throw new Error(`No key was made: ${stderr}`)
    return stdout.trim()
  }
  return { ...(await startMarquee(env)), env, createKey }
}
