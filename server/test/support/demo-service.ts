import { join } from 'node:path'
import { copyDemoCatalog } from './demo-catalog.ts'
import { onFileFinished } from './file-cleanup.ts'
import { marquee, type RunningService, startMarquee } from './marquee-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A running service with a small demo catalog. */
export interface DemoService extends RunningService {
  /** The settings with which commands use the same data. */
  readonly env: Record<string, string>
  /** Creates a key on the unlimited plan; further arguments go to `marquee keys create`. */
  createKey(...args: string[]): Promise<string>
}

/** Starts the built service on a small demo catalog; stops it and deletes the data after the test file. */
export async function startDemoService(settings: Record<string, string> = {}): Promise<DemoService> {
  const folder = temporaryFolder(onFileFinished)
  const env = {
    MARQUEE_DATA: join(folder, 'data'),
    // With one worker, the counts of requests are exact at all times.
    MARQUEE_WORKERS: '1',
    MARQUEE_SIGN_UP: 'open',
    // All pages of a test file are of one network.
    MARQUEE_VISITOR_QUOTA: '100000',
    ...settings,
  }
  await copyDemoCatalog(env.MARQUEE_DATA)
  const createKey = async (...args: string[]) => {
    const { stdout, stderr } = await marquee(['keys', 'create', '--plan', 'unlimited', ...args], env)
    if (stdout === '') throw new Error(`No key was made: ${stderr}`)
    return stdout.trim()
  }
  return { ...(await startMarquee(env)), env, createKey }
}
