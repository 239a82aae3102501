import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'

const running = new Set<ChildProcess>()

/** Starts a process that ends with this one at the latest, also when this one fails or is interrupted. */
export function start(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/** Asks a process to end, and waits until it has. One that takes longer than 15 seconds is killed. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await closed
  clearTimeout(timer)
}

/** Runs a program to its end and returns its standard output; if it fails, the error shows what it said. */
export async function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<string> {
  return await outputOf(start(command, args, options), `${command} ${args.join(' ')}`)
}

/** The standard output of a process that was started, once it has ended well. */
export async function outputOf(child: ChildProcess, name: string): Promise<string> {
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    err = (err + chunk.toString()).slice(-4000)
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (code !== 0) throw new Error(`${name} ended with ${code ?? signal}:\n${err}${out.slice(-2000)}`)
  return out
}

/** Waits for the line on which a server of ours prints its port. */
export async function portOf(child: ChildProcess, name: string): Promise<number> {
  let said = ''
  return await new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const port = /^listening (\d+)$/m.exec(said)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
    child.stderr?.pipe(process.stderr, { end: false })
    child.once('close', (code) => reject(new Error(`${name} ended with ${code} before it listened`)))
  })
}

const others = new Set<number>()

/** Sees to it that a process which something else started ends too; returns how to take that back. */
export function stopAtExit(pid: number): () => void {
  others.add(pid)
  return () => others.delete(pid)
}

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  for (const pid of others) process.kill(pid, 'SIGINT')
})
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.once(signal, () => {
    // Asked first and killed on exit: PostgreSQL would leave its shared memory behind otherwise.
    for (const child of running) child.kill('SIGINT')
    setTimeout(() => process.exit(code), 1500)
  })
}
