import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { FollowerMessage } from './follower.ts'

const PROGRAM = fileURLToPath(new URL('./node-process.js', import.meta.url))

/** How long to wait before the process is started again, lest it die in a loop. */
const RESTART_MS = 1_000

/** Runs the process that follows the ledger, and starts it again when it ends. */
export class FollowerProcess {
  private readonly logger: Logger
  private readonly onMessage: (message: FollowerMessage) => void
  private child: ChildProcess | undefined
  private stopping = false

  constructor(logger: Logger, onMessage: (message: FollowerMessage) => void) {
    this.logger = logger
    this.onMessage = onMessage
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  start(): void {
    const child = fork(PROGRAM, [], { stdio: 'inherit' })
    this.child = child
    child.on('message', (message) => this.onMessage(message as FollowerMessage))
    child.once('exit', (code, signal) => {
      if (this.stopping || this.child !== child) return
      this.logger.warn(
        { node: child.pid, cause: signal ?? code },
        'the process that follows the ledger is started anew',
      )
      setTimeout(() => !this.stopping && this.child === child && this.start(), RESTART_MS)
    })
  }

  /** Lets another process take over, with the program as it is on disk now. */
  async restart(): Promise<void> {
    const former = this.child
    this.child = undefined
    if (former !== undefined) await stopChild(former)
    if (!this.stopping) this.start()
  }

  async stop(): Promise<void> {
    this.stopping = true
    if (this.child !== undefined) await stopChild(this.child)
  }
}

/** How long a process may take to end once it was told to. */
const STOP_TIMEOUT_MS = 10_000

/** Tells a process to end, waits until it has, and ends it where it takes too long. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const impatience = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(impatience)
}
