import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { serveTables, writeLists, writePrograms } from '../support/first-catalog-world.ts'
import { marquee, runNode, startMarquee } from '../support/marquee-process.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { STAND_IN_TOKEN, TmdbStandIn } from '../support/tmdb/tmdb-stand-in.ts'
import { TvmazeStandIn } from '../support/tvmaze/tvmaze-stand-in.ts'
import { WATCHMODE_KEY, WatchmodeStandIn } from '../support/watchmode/watchmode-stand-in.ts'

export const REPOSITORY = dirname(fileURLToPath(new URL('../../../package.json', import.meta.url)))

/** What stands in for the world while the blocks of a page run. */
export interface PageWorld {
  /** The fresh folder in which the commands run. */
  readonly folder: string
  /** The port that stands for 8080 of the page; the next one is free, too. */
  readonly port: number
  readonly env: Readonly<Record<string, string>>
  /** Replaces addresses, keys and folders of a page by those of this machine. */
  toLocal(text: string): string
  /** Takes the direct key that a service printed at its start for the keys of the page. */
  useKeys(output: string): void
  /** Turns what a command printed back into the words of the page. */
  toShown(text: string): string
}

/** What a page needs before its first block. */
export interface PageNeeds {
  /** A copy of the demo in `data`; `serves` starts the service on it, with a key in place of those of the page. */
  readonly demo?: 'data' | 'serves'
  /** A clone of the repository as the folder: its first command installs it. */
  readonly clone?: true
  readonly postgres?: true
  readonly tmdb?: { readonly movies: number; readonly series: number }
}

/** Makes the world of a page. All of it goes when the test ends. */
export async function makeWorld({ demo, clone, postgres, tmdb }: PageNeeds): Promise<PageWorld> {
  const folder = temporaryFolder()
  const programs = temporaryFolder()
  writePrograms(programs)
  const port = await freePorts()
  const data = { MARQUEE_DATA: join(folder, 'data') }
  const shown: [local: string, shown: string][] = [[`127.0.0.1:${port}`, '127.0.0.1:8080']]
  const local: [shown: string, local: string][] = []
  const env: Record<string, string> = {
    PATH: `${clone === true ? '' : `${programs}:`}${process.env.PATH}`,
    HOME: programs,
    LANG: 'C.UTF-8',
    PORT: String(port),
    MARQUEE_URL: `http://127.0.0.1:${port}`,
    MARQUEE_WORKERS: '1',
    PIP_TARGET: join(folder, 'python'),
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PYTHONPATH: join(folder, 'python'),
    REPOSITORY,
  }
  if (clone === true) cloneRepository(folder)
  else symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'))
  if (demo !== undefined) {
    await copyDemo(data.MARQUEE_DATA)
    const keys = await Promise.all(['direct', 'marketplace'].map((source) => createKey(source, data)))
    local.push(...KEY_WORDS.map((word): [string, string] => [word, keys[0] as string]))
    local.push(['https://api.example.com/v4', `${env.MARQUEE_URL}/v4`], ['V4_KEY=…', `V4_KEY=${keys[0]}`])
    Object.assign(env, { KEY: keys[0], MARKETPLACE_KEY: keys[1], BASE: `${env.MARQUEE_URL}/v4` })
    if (demo === 'serves') await startMarquee({ ...data, PORT: String(port), MARQUEE_WORKERS: '1' })
  }
  if (tmdb !== undefined) Object.assign(env, await standIns(tmdb, local, shown, folder))
  if (postgres === true) {
    const server = await PostgresServer.start()
    onTestFinished(() => server.stop())
    local.push(['postgres://…', await server.createDatabase()])
  }
  mkdirSync(join(folder, 'backups'))
  for (const word of ['/backups/', '/srv/']) {
    local.push([word, `${folder}${word}`])
    shown.push([`${folder}${word}`, word])
  }
  const toShown = (text: string) => shown.reduce((so, [from, to]) => so.replaceAll(from, to), text)
  return {
    folder,
    port,
    env,
    toLocal: (text) =>
      [...local, ...shown.map(([to, from]): [string, string] => [from, to])]
        .filter(([from], i, all) => all.findIndex(([other]) => other === from) === i)
        .reduce((so, [from, to]) => so.replaceAll(from, to), text),
    useKeys: (output) => {
      const [, key] = /direct key +(\S+)/.exec(output) ?? []
      if (key !== undefined) local.push(...KEY_WORDS.map((word): [string, string] => [word, key]))
    },
    toShown: (text) => toShown(text).replaceAll(`${folder}/`, ''),
  }
}

/** How the pages write a key that is the reader's own. */
const KEY_WORDS = ['<the direct key that was printed>', '<the direct key>', '<your key>', '<a key>']

/** TMDB, Watchmode, TVmaze and the files of IMDb, and the two lists of docs/first-catalog.md. */
async function standIns(
  titles: { movies: number; series: number },
  local: [string, string][],
  shown: [string, string][],
  folder: string,
): Promise<Record<string, string>> {
  const now = () => Math.floor(Date.now() / 1000)
  const tmdb = await new TmdbStandIn({ ...titles, now }).listen()
  onTestFinished(() => tmdb.close())
  const watchmode = await new WatchmodeStandIn({ titles: 12, now }).listen()
  const tvmaze = await new TvmazeStandIn({ shows: 8, now }).listen()
  writeLists(folder)
  shown.push([await serveTables(), 'https://datasets.imdbws.com'])
  local.push(
    ['TMDB_TOKEN=eyJhbGciOi…', `TMDB_TOKEN=${STAND_IN_TOKEN}`],
    ['TMDB_TOKEN=…', `TMDB_TOKEN=${STAND_IN_TOKEN}`],
  )
  local.push(['WATCHMODE_KEY=…', `WATCHMODE_KEY=${WATCHMODE_KEY}`])
  return {
    TMDB_API: tmdb.address,
    TMDB_FILES: tmdb.address,
    WATCHMODE_API: watchmode.address,
    TVMAZE_API: tvmaze.address,
  }
}

/** The demo as a first start makes it, made once for a run. */
async function copyDemo(to: string): Promise<void> {
  const made = process.env.MARQUEE_PAGES_DEMO ?? join(inject('demo'), 'whole')
  if (!existsSync(made)) {
    const child = fileURLToPath(new URL('../support/seeding-child.mjs', import.meta.url))
    const { code, stderr } = await runNode([child, '2000'], { MARQUEE_DATA: made })
    if (code !== 0) throw new Error(`The demo could not be made: ${stderr}`)
  }
  cpSync(made, to, { recursive: true })
  // As the program makes them: for their owner alone.
  execFileSync('chmod', ['-R', 'go-rwx', to])
}

async function createKey(source: string, env: Record<string, string>): Promise<string> {
  const { stdout } = await marquee(['keys', 'create', '--plan', 'unlimited', '--source', source], env)
  return stdout.trim()
}

/** What is committed, without what was built or installed. */
function cloneRepository(folder: string): void {
  execFileSync('git', ['clone', '-q', '--depth', '1', `file://${REPOSITORY}`, folder], { cwd: tmpdir() })
}

/** A free port of the loopback whose successor is free, too. */
async function freePorts(): Promise<number> {
  for (;;) {
    const port = await listenOnce(0)
    if (port !== undefined && port < 65_535 && (await listenOnce(port + 1)) !== undefined) return port
  }
}

function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(undefined))
    probe.listen(port, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
