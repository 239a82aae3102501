import { readSettings } from '../../config.ts'
import { runFollower } from './follower.ts'

/* What the process that follows the ledger runs. */
await runFollower(readSettings(process.env))
