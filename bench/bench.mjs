// Entry point of `npm run bench`: installs the packages of bench/ once, compiles, and runs the command.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a command with its output on standard error, so that `--json` prints JSON only. Exits if it fails. */
function run(description, command, args, cwd) {
  console.error(`bench: ${description}`)
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

function compile(config) {
  run('compiling', process.execPath, [`${root}/node_modules/typescript/bin/tsc`, '-p', `${here}/${config}`], root)
}

if (process.argv[2] === 'report') {
  // Needs no package of bench/, so that the check runs in any clone.
  compile('tsconfig.report.json')
  await import('./dist/report.js')
} else {
  if (!existsSync(`${here}/node_modules`)) {
    run('installing the peers (once, a minute or two)', 'npm', ['ci', '--no-audit', '--no-fund'], here)
  }
  if (!existsSync(`${root}/server/dist`)) run('building the server', 'npm', ['run', 'build'], root)
  compile('tsconfig.json')
  await import('./dist/main.js')
}
