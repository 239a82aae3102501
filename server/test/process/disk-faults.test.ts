import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openAccounts } from '../../src/accounts/accounts.ts'
import { aMovie, anOption, aSnapshot } from '../support/builders.ts'
import { buildDiskFault, diskFaultEnvironment } from '../support/chaos/disk-fault.ts'
import { failDisk } from '../support/chaos/disk-faults.ts'
import { feedBytes } from '../support/feed.ts'
import { eventually, marquee, startMarquee } from '../support/marquee-process.ts'
import { seedOffset } from '../support/property-runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const library = buildDiskFault()

it.skipIf(library === undefined)(
  'on a full disk readers are answered, workers live, and counts are stored later',
  async () => {
    const folder = temporaryFolder()
    const data = join(folder, 'data')
    const full = join(folder, 'full')
    const feed = join(folder, 'feed.ndjson')
    writeFileSync(feed, feedBytes(aSnapshot(aMovie({ id: '1', streamingOptions: { us: [anOption()] } }))))
    const own = { MARQUEE_DATA: data }
    await marquee(['import', feed], own)
    const { stdout } = await marquee(
      ['keys', 'create', '--source', 'direct', '--plan', 'free', '--name', 'a', '--json'],
      own,
    )
    const { key } = JSON.parse(stdout) as { key: string }
    const fault = diskFaultEnvironment(library as string, { path: data, error: 'ENOSPC', at: full })
    const service = await startMarquee({ ...own, MARQUEE_WORKERS: '1', ...fault })
    const ask = async () => {
      const response = await fetch(`${service.address}/v4/shows/1?country=us`, { headers: { 'X-API-Key': key } })
      await response.arrayBuffer()
      return response.status
    }
    let asked = 0
    const askOften = async (times: number) => {
      for (let i = 0; i < times; i++, asked++) expect(await ask()).toBe(200)
    }
    await askOften(3)

    writeFileSync(full, '')
    await askOften(3)
    await eventually(async () => (service.events('quota_flush_failed').length > 0 ? true : undefined))
    await eventually(async () => (service.events('usage_flush_failed').length > 0 ? true : undefined))
    // Several flushes fail meanwhile, a second apart.
    for (let i = 0; i < 3; i++) {
      await askOften(1)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
    expect(service.events('worker_died')).toEqual([])
    expect(service.events('quota_flush_failed')).toHaveLength(1)
    expect(service.events('usage_flush_failed')).toMatchObject([{ problem: 'no space is left' }])

    rmSync(full)
    const accounts = openAccounts(join(data, 'accounts'))
    const [{ id = '' } = {}] = accounts.keys.list()
    const used = () => {
      const hours = [...accounts.usage.read('day', id, 0, 9_999_999_999)]
      const statuses = hours.flatMap(({ usage }) => Object.values(usage).map((one) => one.statuses[200] ?? 0))
      return statuses.reduce((sum, count) => sum + count, 0)
    }
    await eventually(async () => (used() === asked ? true : undefined))
    await accounts.close()
    expect(await service.stop()).toBe(0)
  },
)

it.skipIf(library === undefined)(
  'a disk that is nearly full is written to by no transaction, and read as before',
  async () => {
    const own = { MARQUEE_DATA: join(temporaryFolder(), 'data') }
    const create = ['keys', 'create', '--plan', 'free', '--name']
    expect(await marquee([...create, 'a'], own)).toMatchObject({ code: 0 })
    const full = { ...own, LD_PRELOAD: library as string, DISK_FREE_BYTES: '1000000' }
    expect(await marquee([...create, 'b'], full)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^marquee: \S+accounts cannot be written: no space is left\n$/),
    })
    const { code, stdout } = await marquee(['keys', 'list', '--json'], full)
    expect({ code, names: (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name) }).toEqual({
      code: 0,
      names: ['a'],
    })
  },
)

// The short form of `scripts/chaos/run.mjs disk`.
it.skipIf(library === undefined)(
  'a command whose n-th write fails says so in one line, and loses nothing',
  async () => {
    const outcomes = await failDisk({ folder: temporaryFolder(), tries: 8, seed: 3 + seedOffset })
    expect(outcomes.flatMap(({ fault, problems }) => problems.map((problem) => `${fault}: ${problem}`))).toEqual([])
  },
)
