import { readSettings } from '../config.ts'
import { runNode } from './node.ts'

/* What the process that follows the ledger runs. */
await runNode(readSettings(process.env))
