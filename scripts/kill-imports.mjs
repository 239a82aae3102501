/**
 * Kills imports at random times and checks the catalog: it must open, pass the integrity check, and equal that of a clean
 * import once the import is repeated. Needs the built program.
 *
 *   node scripts/kill-imports.mjs [--kills 100] [--seed N]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } })
const kills = Number(values.kills ?? 100)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
if (!Number.isSafeInteger(kills) || kills < 1 || !Number.isSafeInteger(seed)) {
  console.error('--kills and --seed must be whole numbers')
  process.exit(2)
}

const root = resolve(import.meta.dirname, '..')
const { module } = await runnerImport(join(root, 'server/test/support/kill-imports.ts'), {
  root,
  configFile: false,
  logLevel: 'error',
})

const folder = mkdtempSync(join(tmpdir(), 'marquee-kills-'))
let differences = 0
let tooLate = 0
try {
  console.log(`${kills} kills, seed ${seed}`)
  await module.killImports({
    folder,
    kills,
    shows: 300,
    manyShows: 4_500,
    seed,
    onKill: (kill, done) => {
      differences += kill.differences.length
      if (kill.tooLate) tooLate++
      const state = kill.tooLate ? 'which was too late' : `version ${kill.version}`
      const found = `${kill.differences.length} differences`
      console.log(`${done}/${kills}  ${kill.scenario}: killed ${kill.when}, ${state}; ${found}`)
      for (const difference of kill.differences.slice(0, 5)) console.log(`    ${difference}`)
    },
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${kills - tooLate} imports killed, ${tooLate} ended before: ${differences} differences`)
process.exit(differences === 0 ? 0 : 1)
