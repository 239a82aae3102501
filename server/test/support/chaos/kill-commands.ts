import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { marquee, PROGRAM } from '../marquee-process.ts'
import { type Campaign, repeatFault } from './campaign.ts'
import { FaultedCommands } from './faulted-commands.ts'

/** A command that ends before the kill proves nothing, and is tried again. */
const MAX_ATTEMPTS = 4

/**
 * Kills commands at random instants. What a command printed must be there, the catalog consistent, a backup whole or not there,
 * and the command must succeed when it is repeated, and leave nothing of the one before.
 */
export const killCommands: Campaign = async (options) => {
  const faulted = await FaultedCommands.prepare(options.folder)
  const names = Object.keys(faulted.commands)
  const cleanMs = new Map<string, number>()

  /** Runs a command, and kills it after a time. */
  async function run(args: readonly string[], afterMs = Number.POSITIVE_INFINITY) {
    faulted.reset()
    const startedAt = performance.now()
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { ...process.env, MARQUEE_DATA: faulted.data },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const output = readOutput(child)
    const ended = once(child, 'close')
    if (Number.isFinite(afterMs)) await Promise.race([sleep(afterMs), ended])
    else await ended
    const wasKilled = child.exitCode === null && child.kill('SIGKILL')
    await ended
    return { wasKilled, stdout: output(), ms: performance.now() - startedAt }
  }

  return repeatFault(options, async (random, number) => {
    const name = names[number % names.length] as string
    const args = faulted.commands[name] as readonly string[]
    if (!cleanMs.has(name)) cleanMs.set(name, (await run(args)).ms)
    const usual = cleanMs.get(name) as number
    // The first third of a run is the start of the program.
    let afterMs = usual * (0.3 + 0.7 * random())
    let killed = await run(args, afterMs)
    for (let attempt = 1; !killed.wasKilled && attempt < MAX_ATTEMPTS; attempt++) {
      cleanMs.set(name, killed.ms)
      afterMs = killed.ms * (0.3 + 0.6 * random())
      killed = await run(args, afterMs)
    }
    const problems = await faulted.findDamage()
    if (name === 'keys create' && killed.stdout.includes('mq-key-')) {
      const { stdout } = await marquee(['keys', 'list', '--json'], { MARQUEE_DATA: faulted.data })
      if ((JSON.parse(stdout) as unknown[]).length !== 2) problems.push('a key was printed, and is not there')
    }
    problems.push(...(await faulted.repeat(args)))
    const fault = `\`${name}\` killed after ${Math.round(afterMs)} ms of ${Math.round(usual)}`
    return { kind: name, fault, missed: !killed.wasKilled, problems }
  })
}

function readOutput({ stdout }: ChildProcess): () => string {
  let text = ''
  stdout?.on('data', (chunk) => {
    text += chunk
  })
  return () => text
}
