import { join } from 'node:path'
import { copySeededDemo } from '../../support/demo-catalog.ts'
import { onFileFinished } from '../../support/file-cleanup.ts'
import { marquee, type RunningService, startMarquee } from '../../support/marquee-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A running service that clients of the public service are pointed at, with a key of each source. */
export interface OriginalService extends RunningService {
  readonly keys: Readonly<Record<'direct' | 'marketplace', string>>
  /** Creates a key; the arguments go to `marquee keys create`. */
  createKey(...args: string[]): Promise<string>
}

/** Starts the built service on the demo, with the one setting for clients of the public service. */
export async function startOriginalService(): Promise<OriginalService> {
  const folder = temporaryFolder(onFileFinished)
  const env = { MARQUEE_DATA: join(folder, 'data'), MARQUEE_WORKERS: '1', MARQUEE_COMPATIBILITY: 'original' }
  await copySeededDemo(env.MARQUEE_DATA)
  const createKey = async (...args: string[]) => {
    const { stdout, stderr } = await marquee(['keys', 'create', ...args], env)
    if (stdout === '') throw new Error(`No key was made: ${stderr}`)
    return stdout.trim()
  }
  const keys = {
    direct: await createKey('--plan', 'unlimited'),
    marketplace: await createKey('--plan', 'unlimited', '--source', 'marketplace'),
  }
  return { ...(await startMarquee(env)), keys, createKey }
}
