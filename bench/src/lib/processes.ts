import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

const MAX_STOP_MS = 15_000

const running = new Set<ChildProcess>()
const foreignPids = new Set<number>()

/** Starts a child process that is killed when this process exits, fails or is interrupted. */
export function startProcess(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/** Sends SIGTERM and waits for the exit; kills the process after 15 seconds. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), MAX_STOP_MS)
  await closed
  clearTimeout(timer)
}

/** Runs a command to completion and returns its standard output. */
export async function runProcess(command: string, args: readonly string[]): Promise<string> {
  return await readOutput(startProcess(command, args), `${command} ${args.join(' ')}`)
}

/** Waits for a child process to exit and returns its standard output; a failure carries the end of its output. */
export async function readOutput(child: ChildProcess, name: string): Promise<string> {
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    err = (err + chunk.toString()).slice(-4000)
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (code !== 0) throw new Error(`${name} exited with ${code ?? signal}:\n${err}${out.slice(-2000)}`)
  return out
}

/** Waits for the line `listening PORT`, which every benchmark server prints. */
export async function readPort(child: ChildProcess, name: string): Promise<number> {
  let output = ''
  return await new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const port = /^listening (\d+)$/m.exec(output)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
    child.stderr?.pipe(process.stderr, { end: false })
    child.once('close', (code) => reject(new Error(`${name} exited with ${code} before it listened`)))
  })
}

/** Finds a free TCP port on the loopback interface. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Interrupts a process that a library started when this process exits; returns a function that undoes it. */
export function stopAtExit(pid: number): () => void {
  foreignPids.add(pid)
  return () => foreignPids.delete(pid)
}

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  for (const pid of foreignPids) process.kill(pid, 'SIGINT')
})
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.once(signal, () => {
    // Interrupt first, kill on exit: a killed PostgreSQL leaves its shared memory behind.
    for (const child of running) child.kill('SIGINT')
    setTimeout(() => process.exit(code), 1500)
  })
}
