import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onFileFinished } from './file-cleanup.ts'

/** The built program. */
export const PROGRAM = fileURLToPath(new URL('../../bin/marquee.js', import.meta.url))

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  /** Without lines of progress, which commands print only where they take seconds. */
  readonly stderr: string
}

const PROGRESS_LINES = /^.*\d\/s, .* elapsed\n/gm

/** Runs a command of the built program until it exits. */
export function marquee(
  args: readonly string[],
  env: Record<string, string>,
  input?: Buffer,
  timeoutMs?: number,
): Promise<CommandResult> {
  return runNode([PROGRAM, ...args], env, input, timeoutMs)
}

/** Runs Node with these arguments until it exits; kills it after the time, if one is given. */
export function runNode(
  args: readonly string[],
  env: Record<string, string>,
  input?: Buffer,
  timeoutMs = 0,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { env: { ...process.env, ...env }, maxBuffer: 1 << 28, timeout: timeoutMs, killSignal: 'SIGKILL' },
      (error, stdout, stderr) =>
        resolve({
          code: error === null ? 0 : Number(error.code ?? -1),
          stdout,
          stderr: stderr.replace(PROGRESS_LINES, ''),
        }),
    )
    child.stdin?.end(input)
  })
}

/** A log line of the service. */
export interface LogLine {
  readonly event: string
  readonly pid: number
}

/** A running service on a free port of the loopback. */
export interface RunningService {
  readonly address: string
  readonly process: ChildProcess
  /** Everything that it has printed so far. */
  output(): string
  /** The log lines of an event so far, as docs/operating.md lists them. */
  events(event: string): LogLine[]
  /** Sends a signal, SIGTERM by default, and waits for the exit; returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the built service and waits until it listens. It is killed after the tests of the file. */
export async function startMarquee(env: Record<string, string>, args: readonly string[] = []): Promise<RunningService> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', ...args], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const listening = new Promise<string>((resolve, reject) => {
    const onOutput = (chunk: Buffer) => {
      output += chunk
      const match = /"address":"(http:[^"]+)"/.exec(output)
      if (match !== null) resolve(match[1] as string)
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    child.once('exit', (code) => reject(new Error(`The service exited with ${code} before it listened:\n${output}`)))
  })
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const ended = once(child, 'exit')
    child.kill(signal)
    const [code] = (await ended) as [number | null]
    if (code !== null && code !== 0) console.error(`The service exited with ${code}:\n${output.slice(-4_000)}`)
    return code
  }
  onFileFinished(() => stop('SIGKILL'))
  return {
    address: await listening,
    process: child,
    output: () => output,
    events: (event) => logLines(output, event),
    stop,
  }
}

/** The log lines of an event in the output of a service. The last line may be incomplete. */
export function logLines(output: string, event: string): LogLine[] {
  return output
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{') && line.includes(`"event":"${event}"`))
    .map((line) => JSON.parse(line) as LogLine)
}

/** Longer than anything takes that works, also on a machine that is busy with other work. */
const HANG_SECONDS = 300

/** Repeats a check until it returns a value; fails after five minutes, or the given time. */
export async function eventually<T>(check: () => Promise<T | undefined>, seconds = HANG_SECONDS): Promise<T> {
  const deadline = performance.now() + seconds * 1_000
  for (;;) {
    const result = await check().catch(() => undefined)
    if (result !== undefined) return result
    if (performance.now() > deadline) throw new Error(`The check did not pass within ${seconds} seconds`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
