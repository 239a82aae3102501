import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { announceWriter, findLockHolder } from '../../src/lib/lmdb/lmdb-file.ts'
import { interruptImports } from '../support/chaos/interrupts.ts'
import { onFileFinished } from '../support/file-cleanup.ts'
import { seedOffset } from '../support/property-runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// The short form of `scripts/chaos/run.mjs interrupts`.
it('Ctrl-C in a terminal ends an import with 130, and its folder can be used at once', async () => {
  const outcomes = await interruptImports({ folder: temporaryFolder(), tries: 3, seed: 4 + seedOffset })
  expect(outcomes.flatMap(({ fault, problems }) => problems.map((problem) => `${fault}: ${problem}`))).toEqual([])
  expect(outcomes.filter(({ missed }) => missed !== true).length).toBeGreaterThan(0)
})

/** Holds the write lock of an environment until its standard input ends. */
const HOLD_LOCK = `
  import { readSync } from 'node:fs'
  import { open } from 'lmdb'
  const root = open({ path: process.argv[1] })
  root.transactionSync(() => {
    process.stdout.write('held')
    readSync(0, Buffer.alloc(1))
  })
`

it('a command that waits for the writer of its folder says for whom and since when', async () => {
  const data = temporaryFolder()
  await new LocalLedger(data).close()
  const folder = join(data, 'catalog')
  expect(findLockHolder(folder)).toBeUndefined()
  const writer = spawn(process.execPath, ['--input-type=module', '--eval', HOLD_LOCK, folder], {
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onFileFinished(() => void writer.kill('SIGKILL'))
  await once(writer.stdout, 'data')

  const now = Date.now() / 1000
  const holder = findLockHolder(folder)
  expect(holder?.pid).toBe(writer.pid)
  expect(Math.abs((holder?.since ?? 0) - now)).toBeLessThan(60)
  const sentences: string[] = []
  announceWriter(folder, (sentence) => sentences.push(sentence))
  expect(sentences).toHaveLength(1)
  expect(sentences[0]).toMatch(
    new RegExp(`^waiting for process ${writer.pid} \\(.*\\), which runs since \\d{4}-.*Z: it is`),
  )

  writer.stdin.end()
  await once(writer, 'exit')
  expect(findLockHolder(folder)).toBeUndefined()
  announceWriter(folder, (sentence) => sentences.push(sentence))
  expect(sentences).toHaveLength(1)
})
