import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { backoffMs } from '../../lib/backoff.ts'
import type { FollowerMessage } from '../cluster/messages.ts'

const PROGRAM = fileURLToPath(new URL('./follower.js', import.meta.url))

/** Delay before a follower that exited is restarted; it grows while followers exit soon after their start. */
const RESTART_BACKOFF = { firstMs: 1_000, maxMs: 10_000 }

/** A follower that ran for this long is no part of a crash loop. */
const MIN_UPTIME_MS = 10_000

/** How long a child process may take to exit after SIGTERM. */
const STOP_TIMEOUT_MS = 10_000

/** In the primary: runs the follower as a child process and restarts it when it exits. */
export class FollowerProcess {
  private readonly logger: Logger
  private readonly onMessage: (message: FollowerMessage) => void
  private child: ChildProcess | undefined
  private failures = 0
  private stopping = false

  constructor(logger: Logger, onMessage: (message: FollowerMessage) => void) {
    this.logger = logger
    this.onMessage = onMessage
  }

  start(): void {
    const child = fork(PROGRAM, [], { stdio: 'inherit' })
    const startedAt = performance.now()
    this.child = child
    child.on('message', (message) => this.onMessage(message as FollowerMessage))
    child.once('exit', (code, signal) => {
      if (this.stopping || this.child !== child) return
      this.failures = performance.now() - startedAt < MIN_UPTIME_MS ? this.failures + 1 : 1
      const context = { event: 'follower_restarted', node: child.pid, cause: signal ?? code }
      this.logger.warn(context, 'the follower exited and is restarted')
      const restart = () => !this.stopping && this.child === child && this.start()
      setTimeout(restart, backoffMs(this.failures, RESTART_BACKOFF))
    })
  }

  /** Replaces the follower by a new process, which runs the program as it is on disk now. */
  async restart(): Promise<void> {
    const predecessor = this.child
    this.child = undefined
    if (predecessor !== undefined) await stopChild(predecessor)
    if (!this.stopping) this.start()
  }

  async stop(): Promise<void> {
    this.stopping = true
    if (this.child !== undefined) await stopChild(this.child)
  }
}

/** Sends SIGTERM to a child process and waits for its exit; kills it after a timeout. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await exit
  clearTimeout(timeout)
}
