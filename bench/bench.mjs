// Gets the benchmarks ready and runs them: installs their packages once, compiles them, hands the arguments on.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a step, with its output on standard error so that `--json` stays clean; ends the program if it fails. */
function step(what, command, args, cwd) {
  console.error(`bench: ${what}`)
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

if (!existsSync(`${here}/node_modules`)) {
  step('installing the peers to compare with (once, a minute or two)', 'npm', ['ci', '--no-audit', '--no-fund'], here)
}
if (!existsSync(`${root}/server/dist`)) step('building the server', 'npm', ['run', 'build'], root)
step('compiling', process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-p', here], root)

await import('./dist/main.js')
