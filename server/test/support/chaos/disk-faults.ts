import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportFeed } from '../../../src/ingest/export-feed.ts'
import { LocalLedger } from '../../../src/ledger/local-ledger.ts'
import { aMovie, anOption, aSeries, aSnapshot } from '../builders.ts'
import { checkCatalog } from '../check-catalog.ts'
import { feedBytes } from '../feed.ts'
import { marquee } from '../marquee-process.ts'
import { type Campaign, repeatFault } from './campaign.ts'
import { buildDiskFault, DISK_ERRORS, type DiskError, diskFaultEnvironment } from './disk-fault.ts'

const HANG_MS = 60_000

/** More writes than the longest of the commands makes. */
const MAX_WRITES = 40

/**
 * Lets the n-th write of a command fail, and all after it, as on a full disk. The command must fail with one line or
 * succeed, leave a consistent catalog and nothing half-written, and succeed when it is repeated with space.
 */
export const failDisk: Campaign = async (options) => {
  const library = buildDiskFault()
  if (library === undefined) return []
  const { folder } = options
  mkdirSync(folder, { recursive: true })
  const base = join(folder, 'base')
  const feeds = ['first', 'second'].map((name, i) => {
    const file = join(folder, `${name}.ndjson`)
    const shows = Array.from({ length: 30 + 30 * i }, (_, n) =>
      n % 7 === 0
        ? aSeries({ id: String(n + 1), title: `Series ${n}` })
        : aMovie({ id: String(n + 1), title: `Movie ${n}`, streamingOptions: { us: [anOption()] } }),
    )
    writeFileSync(file, feedBytes(aSnapshot(...shows)))
    return file
  })
  const [first = '', second = ''] = feeds
  await marquee(['import', first], { MARQUEE_DATA: base })
  await marquee(['keys', 'create', '--source', 'direct', '--plan', 'free', '--name', 'a'], { MARQUEE_DATA: base })
  const commands: Record<string, (out: string) => string[]> = {
    import: () => ['import', second],
    'keys create': () => ['keys', 'create', '--source', 'direct', '--plan', 'free', '--name', 'b'],
    export: (out) => ['export', '--out', join(out, 'export.ndjson')],
    backup: (out) => ['backup', join(out, 'backup')],
    status: () => ['status'],
  }
  const names = Object.keys(commands)

  return repeatFault(options, async (random, number) => {
    const name = names[number % names.length] as string
    const error = (Object.keys(DISK_ERRORS) as DiskError[])[Math.floor(random() * 2)] as DiskError
    const at = 1 + Math.floor(random() ** 2 * MAX_WRITES)
    const place = join(folder, 'place')
    rmSync(place, { recursive: true, force: true })
    const data = join(place, 'data')
    const out = join(place, 'out')
    mkdirSync(out, { recursive: true })
    cpSync(base, data, { recursive: true })
    const args = (commands[name] as (typeof commands)[string])(out)
    const env = { MARQUEE_DATA: data }
    const started = performance.now()
    const failed = await marquee(
      args,
      { ...env, ...diskFaultEnvironment(library, { path: place, error, at }) },
      undefined,
      HANG_MS,
    )
    const ms = performance.now() - started
    const problems: string[] = []
    if (failed.code !== 0 && failed.code !== 1) problems.push(`it ended with ${failed.code}`)
    // lmdb prints a line of its own about a failed write.
    const said = failed.stderr.replace(/^Write error: .*?(?=marquee:|$)/gms, '')
    if (failed.code !== 0 && !/^marquee: .+\n$/.test(said)) problems.push(`it said ${JSON.stringify(failed.stderr)}`)
    const left = readdirSync(out).filter((file) => !['export.ndjson', 'backup'].includes(file))
    if (left.length > 0) problems.push(`it left ${left.join(', ')}`)
    if (failed.code !== 0 && readdirSync(out).length > 0) problems.push('it failed and left a result')
    problems.push(...(await findDamage(data)))
    rmSync(out, { recursive: true })
    mkdirSync(out)
    const repeated = await marquee(args, env, undefined, HANG_MS)
    if (repeated.code !== 0) problems.push(`repeated with space: ${repeated.stderr}`)
    const fault = `${error} from write ${at} on in \`${args[0]}\``
    return { kind: `${name}, ${error}`, fault, missed: failed.code === 0, problems, ms }
  })
}

async function findDamage(data: string): Promise<string[]> {
  const ledger = new LocalLedger(data)
  try {
    for (const _ of exportFeed(ledger.catalog));
    return checkCatalog(ledger.catalog)
  } finally {
    await ledger.close()
  }
}
