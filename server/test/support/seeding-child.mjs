/** Seeds a small demo catalog, or completes one, as a first start does: `node seeding-child.mjs SHOWS`. */

import { readSettings } from '../../dist/config.js'
import { seedDemoCatalog } from '../../dist/serving/startup/demo.js'

await seedDemoCatalog(readSettings(process.env), Number(process.argv[2]))
