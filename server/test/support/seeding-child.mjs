/** Makes a small demo catalog, or finishes one, as a first start of the built program does: `node seeding-child.mjs SHOWS`. */

import { readSettings } from '../../dist/config.js'
import { seedOnce } from '../../dist/serving/startup/demo.js'

await seedOnce(readSettings(process.env), Number(process.argv[2]))
