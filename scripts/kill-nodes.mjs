/**
 * Runs three nodes on an embedded PostgreSQL with imports and readers, and kills the importer, a node, the leader and
 * PostgreSQL at random times. No response may be wrong, mix two imports or fail, and in the end all nodes must hold the
 * same catalog. Needs the built program.
 *
 *   node scripts/kill-nodes.mjs [--kills 40] [--seed N]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } })
const kills = Number(values.kills ?? 40)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
if (!Number.isSafeInteger(kills) || kills < 1 || !Number.isSafeInteger(seed)) {
  console.error('--kills and --seed must be whole numbers')
  process.exit(2)
}

const root = resolve(import.meta.dirname, '..')
const { module } = await runnerImport(join(root, 'server/test/support/kill-nodes.ts'), {
  root,
  configFile: false,
  logLevel: 'error',
})

const folder = mkdtempSync(join(tmpdir(), 'marquee-kill-nodes-'))
try {
  console.log(`${kills} kills, seed ${seed}`)
  const { imports, responses, problems, digests, changesPerShow } = await module.killNodes({
    folder,
    kills,
    nodes: 3,
    shows: 200,
    seed,
    onKill: (victim, done, imported) => console.log(`${done}/${kills}  killed: ${victim}; ${imported} imports so far`),
  })
  for (const problem of problems.slice(0, 20)) console.log(`    ${problem}`)
  const updates = [...new Set(changesPerShow)].join(', ')
  console.log(`${imports} imports, ${responses} responses, ${problems.length} problems`)
  console.log(`digests: ${[...new Set(digests)].join(', ')}; updates of each show: ${updates}`)
  const asExpected = new Set(digests).size === 1 && changesPerShow.every((count) => count === imports - 1)
  process.exitCode = problems.length === 0 && asExpected ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
