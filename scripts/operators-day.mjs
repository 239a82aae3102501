/**
 * An operator's day with the built program, from an empty folder: first run, admin, source, schedule, key, quota, alert,
 * backup, restore, upgrade of an older data folder, removal of a source, end of an account, and nodes on PostgreSQL. Prints
 * a transcript, and exits with 1 at the first surprise.
 *
 *   node scripts/operators-day.mjs [--without-postgres]
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { runnerImport } from 'vite'

const { values: flags } = parseArgs({ options: { 'without-postgres': { type: 'boolean', default: false } } })
const root = resolve(import.meta.dirname, '..')
const program = join(root, 'server/bin/marquee.js')
const folder = mkdtempSync(join(tmpdir(), 'marquee-day-'))
const PASSWORD = 'a long enough password'
const WAIT_MS = 180_000

const alerts = []
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    alerts.push(JSON.parse(body))
    response.writeHead(204).end()
  })
})
await new Promise((done) => receiver.listen(0, '127.0.0.1', done))
const env = {
  ...process.env,
  HOST: '127.0.0.1',
  PORT: '0',
  MARQUEE_WORKERS: '1',
  MARQUEE_DATA: join(folder, 'data'),
  MARQUEE_OPERATOR_WEBHOOK: `http://127.0.0.1:${receiver.address().port}/alerts`,
}
/** Everything that has to be ended with this script. */
const running = new Set()

const say = (line) => process.stdout.write(`${line}\n`)
const step = (title) => say(`\n== ${title}`)

/** Ends the day with a surprise unless the condition holds. */
function expect(isTrue, what) {
  if (!isTrue) throw new Error(`surprise: ${what}`)
  say(`   ok: ${what}`)
}

/** Runs a command, prints it with its output, and returns the output. */
async function marquee(args, { input = '', code: expected = 0, extra = {} } = {}) {
  say(`$ marquee ${args.join(' ')}`)
  const child = spawn(process.execPath, [program, ...args], { env: { ...env, ...extra }, cwd: folder })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    child[name].on('data', (chunk) => {
      output[name] += chunk
    })
  }
  child.stdin.end(input)
  const code = await new Promise((done) => child.once('close', done))
  const text = `${output.stdout}${output.stderr}`.trimEnd()
  for (const line of text.split('\n').slice(0, 12)) say(`   ${line.slice(0, 160)}`)
  if (code !== expected) throw new Error(`surprise: exit code ${code} instead of ${expected}`)
  return output
}

/** Starts the service, and resolves when it says where it listens. */
async function serve(extra = {}) {
  say('$ marquee serve')
  const child = spawn(process.execPath, [program, 'serve'], { env: { ...env, ...extra }, cwd: folder })
  running.add(child)
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      log += chunk
    })
  }
  const started = () => /\{[^\n]*"event":"service_started"[^\n]*\}/.exec(log)?.[0]
  await until(async () => started() !== undefined || child.exitCode !== null, 'the service starts')
  if (started() === undefined) throw new Error(`surprise: the service did not start\n${log.slice(-2_000)}`)
  const { address } = JSON.parse(started())
  return {
    address,
    log: () => log,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await new Promise((done) => child.once('exit', done))
      running.delete(child)
    },
  }
}

async function until(isDone, what) {
  const deadline = Date.now() + WAIT_MS
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`surprise: waited in vain until ${what}`)
    await new Promise((done) => setTimeout(done, 100))
  }
}

const get = (service, path, key) =>
  fetch(`${service.address}${path}`, key === undefined ? {} : { headers: { 'X-API-Key': key } })

/** A feed of some movies on one service. */
function writeFeed(name, source, ids) {
  const option = (id) => ({ service: 'acme', type: 'subscription', link: `https://acme.example/${source}/${id}` })
  const lines = [
    { kind: 'feed', source, mode: 'snapshot' },
    {
      kind: 'service',
      id: 'acme',
      name: 'Acme',
      homePage: 'https://acme.example',
      countries: { us: { name: 'Acme' } },
    },
    { kind: 'country', countryCode: 'us', name: 'United States', services: ['acme'] },
    ...ids.map((id) => ({
      kind: 'show',
      showType: 'movie',
      imdbId: `tt${String(id).padStart(7, '0')}`,
      title: `Movie ${id}`,
      releaseYear: 1990 + id,
      streamingOptions: { us: [option(id)] },
    })),
  ]
  writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

async function day() {
  step('First run on an empty folder')
  let service = await serve()
  expect(/marquee import|marquee admin create/.test(service.log()), 'the service says what to do next')
  expect((await get(service, '/readyz')).status === 503, 'it is not ready, since it has nothing to serve')

  step('Admin')
  await marquee(['admin', 'create', 'boss@example.com'], { input: `${PASSWORD}\n` })

  step('Source and schedule')
  writeFeed('acme.ndjson', 'acme', [1, 2, 3, 4])
  writeFeed('other.ndjson', 'other', [3, 4, 5])
  const entries = [{ name: 'acme', from: join(folder, 'acme.ndjson'), every: '1 day' }]
  const schedule = (list) => writeFileSync(join(env.MARQUEE_DATA, 'sources.json'), JSON.stringify(list))
  schedule(entries)
  await marquee(['sources', 'check'])
  const listed = async () => JSON.parse((await marquee(['sources', 'list', '--json'])).stdout).sources
  await until(async () => (await listed())[0].lastOutcome === 'imported', 'the service has run the source')
  await marquee(['import', 'other.ndjson'])
  await until(async () => (await get(service, '/readyz')).status === 200, 'the service is ready')
  expect(true, 'the service is ready')

  step('Key and quota')
  const create = async (...args) => JSON.parse((await marquee(['keys', 'create', ...args, '--json'])).stdout).key
  const key = await create('--plan', 'unlimited', '--name', 'app')
  await until(async () => (await get(service, '/v4/shows/tt0000001?country=us', key)).status === 200, 'the key works')
  await marquee(['plans', 'set', 'tiny', '--requests', '2'])
  const small = await create('--plan', 'tiny', '--name', 'small')
  await until(async () => (await get(service, '/v4/genres', small)).status === 429, 'the quota is used up')
  expect(true, 'a quota of two requests ends with 429')

  step('Alert')
  schedule([...entries, { name: 'broken', from: join(folder, 'missing.ndjson'), every: '1 day' }])
  await until(async () => alerts.some(({ type }) => type === 'operator.source_run_failed'), 'the alert comes')
  expect(true, `the operator's webhook was told: ${JSON.stringify(alerts[0]).slice(0, 120)}`)
  schedule(entries)

  step('Backup and restore')
  await marquee(['backup', 'backup'])
  await marquee(['verify', 'backup'])
  await marquee(['keys', 'list'])
  await service.stop()
  rmSync(env.MARQUEE_DATA, { recursive: true })
  await marquee(['restore', 'backup'])
  service = await serve()
  await until(async () => (await get(service, '/v4/shows/tt0000001?country=us', key)).status === 200, 'the key works')
  expect(true, 'after a restore the same key gets the same show')

  step('Removal of a source')
  await marquee(['sources', 'remove', 'acme', '--yes'], { code: 1 })
  await marquee(['sources', 'pause', 'acme'])
  await marquee(['sources', 'remove', 'acme', '--dry-run'])
  await marquee(['sources', 'remove', 'acme', '--yes'])
  const show = (id) => get(service, `/v4/shows/tt000000${id}?country=us`, key)
  await until(async () => (await show(1)).status === 404, 'its own shows are gone')
  expect((await show(5)).status === 200 && (await show(3)).status === 200, 'shows of the other source are there')
  const changes = await (await get(service, '/v4/changes?country=us&change_type=removed&item_type=show', key)).json()
  expect(changes.changes.length === 2, 'the change log has the two shows that are gone')
  await marquee(['verify'])

  step('End of an account')
  await marquee(['accounts', 'export', 'boss@example.com'])
  await marquee(['accounts', 'delete', 'boss@example.com', '--yes'])
  await service.stop()

  step('Upgrade of a data folder of an older format')
  const old = join(folder, 'old')
  for (const part of ['catalog', 'accounts']) {
    mkdirSync(join(old, part), { recursive: true })
    const packed = readFileSync(join(root, 'server/test/formats/format-5', `${part}.mdb.gz`))
    writeFileSync(join(old, part, 'data.mdb'), gunzipSync(packed))
  }
  await marquee(['migrate'], { extra: { MARQUEE_DATA: old } })
  await marquee(['verify'], { extra: { MARQUEE_DATA: old } })

  if (!flags['without-postgres']) await nodes()
}

async function nodes() {
  step('Nodes on PostgreSQL')
  const { module } = await runnerImport(join(root, 'server/test/support/postgres-server.ts'))
  const postgres = await module.PostgresServer.start()
  try {
    const url = await postgres.createDatabase()
    const wrong = Object.assign(new URL(url), { password: 'wrong' }).href
    await marquee(['status'], { extra: { MARQUEE_DATA: join(folder, 'node'), DATABASE_URL: wrong }, code: 1 })
    await marquee(['migrate', '--to', url])
    const nodeEnv = (name) => ({ DATABASE_URL: url, MARQUEE_DATA: join(folder, name) })
    const first = await serve({ DATABASE_URL: url })
    const second = await serve(nodeEnv('node'))
    const key = JSON.parse(
      (await marquee(['keys', 'create', '--plan', 'unlimited', '--json'], { extra: nodeEnv('node') })).stdout,
    ).key
    for (const node of [first, second]) {
      await until(async () => (await get(node, '/v4/shows/tt0000005?country=us', key)).status === 200, 'a node serves')
    }
    expect(true, 'both nodes serve the catalog, with a key that was made on one of them')
    await first.stop()
    await second.stop()
  } finally {
    await postgres.stop()
  }
}

try {
  await day()
  say('\nThe day went as expected.')
} catch (error) {
  say(`\n${error.stack}`)
  process.exitCode = 1
} finally {
  for (const child of running) child.kill('SIGKILL')
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
}
