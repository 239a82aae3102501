import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { serveTables, writeLists, writePrograms } from '../support/first-catalog-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aStandIn } from '../support/tmdb/sync-with.ts'
import { STAND_IN_TOKEN } from '../support/tmdb/tmdb-stand-in.ts'

const DOCUMENT = fileURLToPath(new URL('../../../docs/first-catalog.md', import.meta.url))

/** Starts the service on a free port, and waits until it listens. */
const SERVE = `npx marquee serve > serve.log 2>&1 &
SERVICE=$!
trap 'kill $SERVICE; wait $SERVICE' EXIT
until grep -q '"address"' serve.log; do sleep 0.05; done
export ADDRESS=$(grep -o '"address":"[^"]*' serve.log | cut -d'"' -f4)
export MARQUEE_URL=$ADDRESS
`

/** A line of the document that says what is typed. */
const COMMAND = /^\$ (.*)$/

/** The commands of the document as one script, which prints a mark before the output of each. */
function toScript(document: string, imdb: string): string {
  const lines = document.split('\n').flatMap((line) => {
    const command = COMMAND.exec(line)?.[1]
    // The service is started in another terminal.
    if (command === undefined) return line === 'npx marquee serve' ? [SERVE] : []
    const local = command
      .replaceAll('https://datasets.imdbws.com', imdb)
      .replace(/'http:\/\/127\.0\.0\.1:8080([^']*)'/, '"$ADDRESS"\'$1\'')
    return ["echo '@@@'", local]
  })
  return `set -e\n${lines.join('\n')}\n`
}

/** The document with the outputs of a run in place of its own. */
function withOutputs(document: string, outputs: readonly string[]): string {
  let command = -1
  let isConsole = false
  return document
    .split('\n')
    .flatMap((line) => {
      if (line === '```console') isConsole = true
      else if (isConsole && line === '```') isConsole = false
      else if (isConsole) return COMMAND.test(line) ? [line, ...splitLines(outputs[++command] ?? '')] : []
      return [line]
    })
    .join('\n')
}

function splitLines(output: string): string[] {
  return output === '' ? [] : output.replace(/\n$/, '').split('\n')
}

test('the commands of docs/first-catalog.md make a catalog of two lists, IMDb and TMDB, and print what it shows', async () => {
  const standIn = await aStandIn({ movies: 30, series: 10 })
  const folder = temporaryFolder()
  writeLists(folder)
  writePrograms(join(folder, 'bin'))
  const document = readFileSync(DOCUMENT, 'utf8')
  const { PATH, HOME = folder } = process.env
  const script = spawn('bash', ['-c', toScript(document, await serveTables())], {
    cwd: folder,
    env: {
      PATH: `${join(folder, 'bin')}:${PATH}`,
      HOME,
      PORT: '0',
      LOG_LEVEL: 'info',
      MARQUEE_WORKERS: '1',
      TMDB_TOKEN: STAND_IN_TOKEN,
      TMDB_API: standIn.address,
      TMDB_FILES: standIn.address,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  script.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk
  })
  script.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  const [code] = await once(script, 'close')
  // Standard error has progress lines on a slow machine.
  expect(code, stderr).toBe(0)
  const outputs = stdout.split('@@@\n').slice(1)
  // `npx vitest run server/test/process/first-catalog.test.ts --update` writes the outputs into the document.
  await expect(withOutputs(document, outputs)).toMatchFileSnapshot(DOCUMENT)
  expect(stdout).toContain('https://image.tmdb.org/')
})
