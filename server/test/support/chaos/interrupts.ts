import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { aMovie, aSnapshot } from '../builders.ts'
import { feedBytes } from '../feed.ts'
import { marquee } from '../marquee-process.ts'
import { type Campaign, type ChaosOutcome, repeatFault } from './campaign.ts'
import { inTerminal } from './terminal.ts'

/** Far more than ending takes on a busy machine; an import that hangs takes for ever. */
const HANG_MS = 60_000

/** Shows of the imported feed: its commits take seconds. */
const SHOWS = 600

/**
 * Presses Ctrl-C in an import at a random instant, every third time twice. The import must end with 130, and commands on
 * the same folder must work afterwards.
 */
export const interruptImports: Campaign = async (options) => {
  const { folder } = options
  const feed = join(folder, 'feed.ndjson')
  const small = join(folder, 'small.ndjson')
  const data = join(folder, 'data')
  mkdirSync(folder, { recursive: true })
  await marquee(['demo', '--shows', String(SHOWS), '--countries', '2', '--out', feed], {})
  writeFileSync(small, feedBytes(aSnapshot(aMovie({ id: '99000001' }))))
  const env = { MARQUEE_DATA: data }

  const started = performance.now()
  const clean = inTerminal(['import', feed], env, () => {})
  const cleanCode = await clean.exitCode()
  if (cleanCode !== 0) throw new Error(`The import ended with ${cleanCode}: ${clean.output()}`)
  const cleanMs = performance.now() - started

  return repeatFault(options, async (random, number): Promise<ChaosOutcome> => {
    rmSync(data, { recursive: true, force: true })
    const times = number % 3 === 2 ? 2 : 1
    const afterMs = Math.round(random() * cleanMs)
    const problems: string[] = []
    const command = inTerminal(['import', feed], env, () => {})
    await sleep(afterMs)
    const pressedAt = performance.now()
    command.interrupt()
    if (times === 2) {
      await sleep(random() * 100)
      command.interrupt()
    }
    const code = await Promise.race([command.exitCode(), sleep(HANG_MS, undefined, { ref: false })])
    const ms = performance.now() - pressedAt
    if (code === undefined) {
      problems.push('the import hangs')
      command.kill()
    } else if (code !== 130 && code !== 0) problems.push(`the import ended with ${code}: ${command.output()}`)
    for (const args of [
      ['import', small, '--source', 'other', '--no-wait'],
      ['status', '--json'],
    ]) {
      const { code: later, stderr } = await marquee(args, env, undefined, HANG_MS)
      if (later !== 0) problems.push(`${args[0]} afterwards ended with ${later}: ${stderr}`)
    }
    const fault = `${times === 1 ? 'Ctrl-C' : 'Ctrl-C twice'} after ${afterMs} ms`
    return { kind: times === 1 ? 'Ctrl-C' : 'Ctrl-C twice', fault, missed: code === 0, problems, ms }
  })
}
