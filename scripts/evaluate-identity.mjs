/**
 * Makes labelled lists of works with the noise of real lists, imports them, and prints how many pairs were found and how
 * many were joined wrongly. `--show N` prints that many missed and mistaken pairs.
 *
 *   npm run evaluate:identity -- [--works 2600] [--seed 1] [--show 0] [--json]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({
  options: {
    works: { type: 'string', default: '2600' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
})
const [works, seed, show] = [values.works, values.seed, values.show].map(Number)
if (![works, seed, show].every(Number.isSafeInteger) || works < 1) {
  console.error('--works, --seed and --show must be whole numbers')
  process.exit(2)
}

const root = resolve(import.meta.dirname, '..')
const load = async (file) => {
  const options = { root, configFile: false, logLevel: 'error' }
  return (await runnerImport(join(root, 'server/test/support/identity', file), options)).module
}
const { makeLabelledLists } = await load('labelled-lists.ts')
const { measureIdentity } = await load('measure-identity.ts')

const folder = mkdtempSync(join(tmpdir(), 'marquee-identity-'))
try {
  const { missed, mistaken, ...figures } = await measureIdentity(makeLabelledLists({ works, seed }), folder)
  if (values.json) console.log(JSON.stringify({ works, seed, ...figures }))
  else {
    const percent = (share) => `${(share * 100).toFixed(2)} %`
    console.log(`${figures.records} records of ${works} works in 5 lists, seed ${seed}`)
    console.log(`recall         ${percent(figures.recall)}  (${figures.found} of ${figures.truePairs} true pairs)`)
    console.log(
      `wrong merges   ${percent(figures.wrongShare)}  (${figures.wrong} of ${figures.joinedPairs} joined pairs)`,
    )
    console.log(`left ambiguous ${figures.ambiguous} records`)
    for (const [name, pairs] of Object.entries({ missed, mistaken })) {
      const step = Math.max(1, Math.floor(pairs.length / Math.max(1, show)))
      for (let i = 0, left = show; i < pairs.length && left > 0; i += step, left--) {
        console.log(`${name}:`)
        for (const entry of pairs[i]) console.log(`  ${describe(entry)}`)
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function describe({ label, record, noise }) {
  const { title, originalTitle, releaseYear, firstAirYear, runtime, seasonCount, directors, creators, cast } = record
  const parts = [label, title, originalTitle, releaseYear ?? firstAirYear, runtime ?? `${seasonCount} seasons`]
  return [...parts, directors ?? creators, cast.slice(0, 4), noise].map((part) => JSON.stringify(part)).join(' ')
}
