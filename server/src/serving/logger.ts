import pino, { type Logger } from 'pino'
import type { Settings } from '../config.ts'

/** Structured log lines on standard output. */
export function createLogger({ logLevel }: Pick<Settings, 'logLevel'>): Logger {
  return pino({ level: logLevel, base: { pid: process.pid } }, pino.destination({ dest: 1, sync: true }))
}
