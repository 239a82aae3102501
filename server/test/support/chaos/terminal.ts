import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onFileFinished } from '../file-cleanup.ts'
import { PROGRAM } from '../marquee-process.ts'

/** A command of the built program in a pseudo-terminal. */
export interface TerminalCommand {
  /** Everything that it has printed so far. */
  output(): string
  /** Presses Ctrl-C. */
  interrupt(): void
  /** Kills it, and the terminal. */
  kill(): void
  /** Waits for the end; resolves to the exit code that a shell would see. */
  exitCode(): Promise<number>
}

/** Runs a command in a pseudo-terminal of its own, by `script` of util-linux. */
export function inTerminal(
  args: readonly string[],
  env: Record<string, string>,
  cleanUp: (end: () => void) => void = onFileFinished,
): TerminalCommand {
  const quoted = [process.execPath, PROGRAM, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  const child = spawn('script', ['-qefc', `exec ${quoted.join(' ')}`, '/dev/null'], {
    env: { ...process.env, SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  cleanUp(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  // Input to a command that has just ended.
  child.stdin.on('error', () => {})
  const ended = once(child, 'exit')
  return {
    output: () => output,
    interrupt: () => void child.stdin.write('\x03'),
    kill: () => void child.kill('SIGKILL'),
    exitCode: async () => (await ended)[0] as number,
  }
}
