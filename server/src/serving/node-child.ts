import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { endChild } from './end-child.ts'
import type { NodeMessage } from './node.ts'

const PROGRAM = fileURLToPath(new URL('./node-process.js', import.meta.url))

/** How long to wait before the process is started again, lest it die in a loop. */
const RESTART_MS = 1_000

/** Runs the process that follows the ledger, and starts it again when it ends. */
export class NodeChild {
  private readonly logger: Logger
  private readonly onMessage: (message: NodeMessage) => void
  private child: ChildProcess | undefined
  private stopping = false

  constructor(logger: Logger, onMessage: (message: NodeMessage) => void) {
    this.logger = logger
    this.onMessage = onMessage
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  start(): void {
    const child = fork(PROGRAM, [], { stdio: 'inherit' })
    this.child = child
    child.on('message', (message) => this.onMessage(message as NodeMessage))
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
    if (former !== undefined) await endChild(former)
    if (!this.stopping) this.start()
  }

  async stop(): Promise<void> {
    this.stopping = true
    if (this.child !== undefined) await endChild(this.child)
  }
}
