/** Seeds a small demo catalog, or completes one, as a first start does: `node seeding-child.mjs SHOWS`. */

import { readSettings } from '../../dist/config.js'
import { seedDemoCatalog } from '../../dist/runtime/seed-demo-catalog.js'

await seedDemoCatalog(readSettings(process.env), { shows: Number(process.argv[2]) })
