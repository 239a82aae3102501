import { readSettings } from '../config.ts'
import { keepTicksFast } from './fast-ticks.ts'
import { runWorker } from './worker.ts'

/* What a worker's process runs: the worker alone, without the commands, since starting is most of what a worker waits for. */
keepTicksFast()
await runWorker(readSettings(process.env))
