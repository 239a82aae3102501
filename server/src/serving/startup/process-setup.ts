import pino, { type Logger } from 'pino'
import type { Settings } from '../../config.ts'
import { escapeControlsInJson } from '../../lib/printable.ts'

/** The logger of a process: one JSON object per line on standard output, with an `event` name beside the message. */
export function createLogger({ logLevel }: Pick<Settings, 'logLevel'>): Logger {
  const output = pino.destination({ dest: 1, sync: true })
  // Lines may quote feeds and requests, and may be read on a terminal.
  const write = (line: string) => void output.write(escapeControlsInJson(line))
  return pino({ level: logLevel, base: { pid: process.pid } }, { write })
}

/** On the first SIGTERM or SIGINT, runs `stop` and exits the process. */
export function onStopSignal(stop: () => Promise<void>): void {
  let stopping = false
  const handle = () => {
    if (stopping) return
    stopping = true
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`marquee: stopping failed: ${(error as Error).stack}\n`)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', handle)
  process.on('SIGINT', handle)
}

/** Exits the process when its primary exits or has exited: nobody would restart or stop it. */
export function exitWithPrimary(): void {
  process.on('disconnect', () => process.exit(0))
  if (!process.connected) process.exit(0)
}
