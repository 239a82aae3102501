import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { backoffMs } from '../../lib/backoff.ts'
import { HangDetector } from '../../lib/hang-detector.ts'
import type { FollowerMessage } from '../cluster/messages.ts'

const PROGRAM = fileURLToPath(new URL('./follower.js', import.meta.url))

/** Delay before a follower that exited is restarted; it grows while followers exit soon after their start. */
const RESTART_BACKOFF = { firstMs: 1_000, maxMs: 10_000 }

/** A follower that ran for this long is no part of a crash loop. */
const MIN_UPTIME_MS = 10_000

/** A follower that sends nothing for this long is replaced. It blocks its event loop while it applies a large commit. */
const MAX_SILENCE_MS = 300_000
const HANG_CHECK_MS = 1_000

/** From this silence on, the replica may be behind the log without anybody knowing. */
const LAG_SILENCE_MS = 12_000

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
    const hangs = new HangDetector<ChildProcess>({ maxSilenceMs: MAX_SILENCE_MS, checkMs: HANG_CHECK_MS })
    // One that hangs while it starts is silent from its start on.
    hangs.beat(child)
    child.on('message', (message) => {
      hangs.beat(child)
      this.onMessage(message as FollowerMessage)
    })
    const hangCheck = setInterval(() => {
      const silenceMs = hangs.silenceMs(child)
      if (silenceMs > LAG_SILENCE_MS) {
        this.onMessage({ type: 'silent', since: Math.floor((Date.now() - silenceMs) / 1000) })
      }
      if (hangs.findHung().length === 0) return
      this.logger.error({ event: 'follower_hung', node: child.pid }, 'the follower does not respond and is killed')
      child.kill('SIGKILL')
    }, HANG_CHECK_MS).unref()
    child.once('exit', (code, signal) => {
      clearInterval(hangCheck)
      this.onMessage({ type: 'exited' })
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
