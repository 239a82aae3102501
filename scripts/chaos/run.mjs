/**
 * Runs a campaign of faults against the built program and prints one table of tries and survivals.
 *
 *   node scripts/chaos/run.mjs CAMPAIGN [--tries 100] [--seed N] [--quiet]
 *   node scripts/chaos/run.mjs attack|overload|soak [--minutes 5] [--seed N]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'

/** The campaigns: the file below server/test/support/chaos, and the function in it. */
const CAMPAIGNS = {
  interrupts: ['interrupts.ts', 'interruptImports'],
  disk: ['disk-faults.ts', 'failDisk'],
  webhooks: ['webhooks.ts', 'killDeliveries'],
  'webhook-nodes': ['webhooks.ts', 'killDeliveringNodes'],
  attack: ['attack.ts', 'attackService'],
  overload: ['overload.ts', 'overloadService'],
  'kill-commands': ['kill-commands.ts', 'killCommands'],
  'kill-imports': ['kill-imports.ts', 'killImports'],
  'kill-nodes': ['kill-nodes.ts', 'killNodes'],
  damage: ['damage.ts', 'damageFiles'],
  hangs: ['hangs.ts', 'stopProcesses'],
  restores: ['restores.ts', 'replaceDatabases'],
  soak: ['soak.ts', 'soakService'],
  giants: ['giants.ts', 'requestGiants'],
}

/** Campaigns that last for some minutes, rather than for a number of tries. */
const TIMED = ['attack', 'overload', 'soak']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tries: { type: 'string' },
    minutes: { type: 'string' },
    seed: { type: 'string' },
    quiet: { type: 'boolean' },
  },
})
const [name = ''] = positionals
const tries = TIMED.includes(name) ? 1 : Number(values.tries ?? 100)
const seconds = 60 * Number(values.minutes ?? 5)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
if (
  !Object.hasOwn(CAMPAIGNS, name) ||
  !Number.isSafeInteger(tries) ||
  tries < 1 ||
  !Number.isSafeInteger(seed) ||
  !(seconds > 0)
) {
  console.error(
    `Usage: node scripts/chaos/run.mjs ${Object.keys(CAMPAIGNS).join('|')} [--tries N] [--minutes N] [--seed N] [--quiet]`,
  )
  process.exit(2)
}

const root = resolve(import.meta.dirname, '../..')
const [file, campaign] = CAMPAIGNS[name]
// Stays open during the campaign: modules that are imported later are loaded through it.
const loader = await createServer({
  root,
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
})
const module = await loader.ssrLoadModule(join(root, 'server/test/support/chaos', file))

const folder = mkdtempSync(join(tmpdir(), 'marquee-chaos-'))
console.log(`${name}: ${tries} tries, seed ${seed}`)
let outcomes
try {
  const onOutcome = ({ fault, problems, missed, ms }, done) => {
    if (values.quiet === true && problems.length === 0) return
    const took = ms === undefined ? '' : `, ${Math.round(ms)} ms`
    console.log(`${done}/${tries}  ${fault}${took}: ${missed ? 'too late' : problems.join('; ') || 'survived'}`)
  }
  outcomes = await module[campaign]({ folder, tries, seed, seconds, onOutcome, onProgress: console.log })
} finally {
  await loader.close()
  rmSync(folder, { recursive: true, force: true })
}

const rows = {}
for (const { kind, problems, missed, ms } of outcomes) {
  rows[kind] ??= { tries: 0, 'too late': 0, survived: 0, failed: 0, 'longest ms': 0 }
  const row = rows[kind]
  row.tries++
  if (missed) row['too late']++
  if (problems.length === 0) row.survived++
  else row.failed++
  if (!missed) row['longest ms'] = Math.max(row['longest ms'], Math.round(ms ?? 0))
}
if (TIMED.includes(name)) for (const { problems } of outcomes) for (const problem of problems) console.log(problem)
console.table(rows)
process.exit(outcomes.some(({ problems }) => problems.length > 0) ? 1 : 0)
