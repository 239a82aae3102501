import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../support/marquee-process.ts'

/** What a piece of shell text printed, and the status of its first command that failed, or 0. */
export interface ShellResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** One bash for a page: variables, exports and the current folder last from block to block, as in a terminal. */
export class PageShell {
  private readonly scratch: string
  private readonly bash: ChildProcess
  private readonly background: ChildProcess[] = []
  private count = 0

  /** @param scratch a folder for scripts and outputs, outside the one in which the commands run */
  constructor(folder: string, scratch: string, env: Readonly<Record<string, string>>) {
    this.scratch = scratch
    this.bash = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env, stdio: ['pipe', 'ignore', 'ignore'] })
  }

  /** Runs shell text to its end. */
  async run(text: string, timeoutSeconds = 300): Promise<ShellResult> {
    const file = join(this.scratch, String(++this.count))
    writeFileSync(`${file}.sh`, text)
    // The trap records the first failure: a block of several commands fails if any of them does.
    const line = `__status=0; set -E; trap '__last=$?; if [ $__status = 0 ]; then __status=$__last; fi' ERR; . ${file}.sh > ${file}.out 2> ${file}.err < /dev/null; trap - ERR; echo $__status > ${file}.tmp; mv ${file}.tmp ${file}.status\n`
    this.bash.stdin?.write(line)
    await eventually(
      async () => existsSync(`${file}.status`) || this.bash.exitCode !== null || undefined,
      timeoutSeconds,
    )
    const status = existsSync(`${file}.status`) ? Number(readFileSync(`${file}.status`, 'utf8')) : -1
    return { status, stdout: readFileSync(`${file}.out`, 'utf8'), stderr: readFileSync(`${file}.err`, 'utf8') }
  }

  /**
   * Starts a command that does not end by itself, with the variables of the shell, and waits until its output is as wanted.
   * It runs until the page is done.
   */
  async start(command: string, isReady: (output: string) => boolean): Promise<string> {
    const file = join(this.scratch, `background-${++this.count}`)
    const variables = await this.run('export -p; declare -p; printf "cd %q\\n" "$PWD"')
    // Read-only variables of bash itself cannot be declared again.
    const state = variables.stdout
      .split('\n')
      .filter((line) => !/^declare -[a-z]*r/.test(line) && !/^declare -- (BASH|_|PPID)/.test(line))
    writeFileSync(`${file}.sh`, `${state.join('\n')}\n${command}\n`)
    const child = spawn('bash', ['--noprofile', '--norc', `${file}.sh`], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    this.background.push(child)
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk
    })
    const hasEnded = () => isReady(stdout) || isReady(stderr) || child.exitCode !== null
    await eventually(async () => hasEnded() || undefined, 1_500).catch(() => undefined)
    if (!isReady(stdout) && !isReady(stderr)) throw new Error(`${command} is not ready:\n${stdout}\n${stderr}`)
    return isReady(stdout) ? stdout : stderr
  }

  /** Stops the shell and what it started. */
  async close(): Promise<void> {
    for (const child of this.background.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'close')
      // The whole process group: npm and bash do not pass signals on.
      process.kill(-(child.pid as number), 'SIGTERM')
      await ended
    }
    if (this.bash.exitCode === null) await this.run('kill $(jobs -p); wait', 60).catch(() => undefined)
    this.bash.stdin?.end()
    if (this.bash.exitCode === null) await once(this.bash, 'exit')
  }
}
