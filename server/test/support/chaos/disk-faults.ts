import { readdirSync } from 'node:fs'
import { marquee } from '../marquee-process.ts'
import { type Campaign, repeatFault } from './campaign.ts'
import { buildDiskFault, DISK_ERRORS, type DiskError, diskFaultEnvironment } from './disk-fault.ts'
import { FaultedCommands, HANG_MS } from './faulted-commands.ts'

/** More writes than the longest of the commands makes. A command that ends before the fault is tried again with half as many. */
const MAX_WRITES = 40

/**
 * Lets the n-th write of a command fail, and all after it, as on a full disk. The command must fail with one line or
 * succeed, leave a consistent catalog and nothing half-written, and succeed when it is repeated with space.
 */
export const failDisk: Campaign = async (options) => {
  const library = buildDiskFault()
  if (library === undefined) return []
  const faulted = await FaultedCommands.prepare(options.folder)
  const names = Object.keys(faulted.commands)

  return repeatFault(options, async (random, number) => {
    const name = names[number % names.length] as string
    const args = faulted.commands[name] as readonly string[]
    const error = (Object.keys(DISK_ERRORS) as DiskError[])[Math.floor(random() * 2)] as DiskError
    const run = async (at: number) => {
      faulted.reset()
      const startedAt = performance.now()
      const result = await marquee(
        args,
        { MARQUEE_DATA: faulted.data, ...diskFaultEnvironment(library, { path: faulted.place, error, at }) },
        undefined,
        HANG_MS,
      )
      return { ...result, ms: performance.now() - startedAt }
    }
    let at = 1 + Math.floor(random() ** 2 * MAX_WRITES)
    let failed = await run(at)
    while (failed.code === 0 && at > 1) {
      at = Math.ceil(at / 2)
      failed = await run(at)
    }
    const problems: string[] = []
    if (failed.code !== 0 && failed.code !== 1) problems.push(`it ended with ${failed.code}`)
    // lmdb prints lines of its own about a failed write.
    const said = failed.stderr.replace(/^(?:Write error: |mdb_).*?(?=marquee:|$)/s, '')
    if (failed.code !== 0 && !/^marquee: .+\n$/.test(said)) problems.push(`it said ${JSON.stringify(failed.stderr)}`)
    const left = faulted.findLeftovers()
    if (left.length > 0) problems.push(`it left ${left.join(', ')}`)
    if (failed.code !== 0 && readdirSync(faulted.results).length > 0) problems.push('it failed and left a result')
    problems.push(...(await faulted.findDamage()), ...(await faulted.repeat(args)))
    const fault = `${error} from write ${at} on in \`${name}\``
    return { kind: `${name}, ${error}`, fault, missed: failed.code === 0, problems, ms: failed.ms }
  })
}
