import { readSettings } from '../../config.ts'
import { keepNextTickFast } from '../startup/process-setup.ts'
import { runWorker } from './worker.ts'

/* What a worker's process runs: the worker alone, without the commands, since starting is most of what a worker waits for. */
keepNextTickFast()
await runWorker(readSettings(process.env))
