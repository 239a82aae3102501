// Runs every command and requests every endpoint of the built program once, with the Node that runs this script.
// `node scripts/smoke.mjs [PROGRAM]`: exits with 1 and names what failed. No network but the loopback.
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = process.argv[2] ?? fileURLToPath(new URL('../server/bin/marquee.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'marquee-smoke-'))
const feed = join(folder, 'feed.ndjson')
const env = {
  ...process.env,
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'info',
  MARQUEE_WORKERS: '1',
  MARQUEE_DATA: join(folder, 'data'),
}

let failures = 0
let passed = 0

/** Records a check, and prints it if it failed. */
function check(name, isGood, detail = '') {
  if (isGood) passed++
  else {
    failures++
    process.stdout.write(`FAILED  ${name}  ${detail}\n`)
  }
}

/** Runs a command until it exits. */
function run(args, input = '', extra = {}) {
  return new Promise((resolve) => {
    const options = { env: { ...env, ...extra }, cwd: folder, maxBuffer: 1 << 28 }
    const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? -1), stdout, stderr }),
    )
    child.stdin.end(input)
  })
}

/** Runs a command that must succeed; returns what it printed, as JSON if it is. */
async function succeed(args, input, extra) {
  const { code, stdout, stderr } = await run(args, input, extra)
  check(`marquee ${args.join(' ')}`, code === 0, `exit ${code}: ${stderr.trim().slice(-300)}`)
  try {
    return JSON.parse(stdout)
  } catch {
    return stdout
  }
}

/** All commands, as the help lists them, each as its words. */
async function listCommands(path = []) {
  const { code, stdout } = await run([...path, '--help'])
  check(`marquee ${path.join(' ')} --help`, code === 0)
  const [, section = ''] = stdout.split(/^Commands:$/m)
  const names = Array.from(section.split(/^\S/m)[0].matchAll(/^ {2}([a-z][\w-]*)/gm), ([, name]) => name)
  const inner = names.filter((name) => name !== 'help').map((name) => listCommands([...path, name]))
  return [...(path.length === 0 ? [] : [path]), ...(await Promise.all(inner)).flat()]
}

/** Values for the parameters that an endpoint requires. */
function parameterValues(show) {
  return {
    id: show.id,
    ids: `${show.id},${show.imdbId}`,
    country: 'us',
    'country-code': 'us',
    title: show.title,
    service: 'netflix',
    name: show.cast[0] ?? 'a',
    change_type: 'new',
    item_type: 'show',
  }
}

/** Requests every endpoint of the OpenAPI document on both bases, and the pages beside them. */
async function requestEverything(address, keys) {
  const direct = { 'x-api-key': keys.direct }
  const { body: found } = await request(`${address}/v4/shows/search/filters?country=us`, direct)
  const show = JSON.parse(found).shows[0]
  const values = parameterValues(show)
  const { paths } = JSON.parse((await request(`${address}/openapi.json`)).body)
  for (const [path, { get }] of Object.entries(paths)) {
    if (get === undefined) continue
    const parameters = (get.parameters ?? []).filter(({ required }) => required)
    const unknown = parameters.find(({ name, schema }) => values[name] === undefined && schema?.enum === undefined)
    if (unknown !== undefined) {
      process.stdout.write(`skipped ${path}: no value for ${unknown.name}\n`)
      continue
    }
    const query = new URLSearchParams()
    let filled = path
    for (const { name, in: place, schema } of parameters) {
      const value = values[name] ?? schema.enum[0]
      if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value))
      else if (place === 'query') query.set(name, value)
    }
    for (const [base, headers] of [
      ['/v4', direct],
      ['', { 'x-market-api-key': keys.marketplace }],
    ]) {
      const url = `${address}${base}${filled}?${query}`
      // A stream has no end to wait for.
      const isStream = get.responses[200].content['text/event-stream'] !== undefined
      const { status, body } = isStream
        ? { status: (await fetch(url, { method: 'HEAD', headers })).status, body: '' }
        : await request(url, headers)
      check(`GET ${base}${path}`, status === 200, `${status}: ${body.slice(0, 200)}`)
    }
  }
  for (const page of ['/healthz', '/readyz', '/metrics', '/attributions.json', '/', '/docs', `/show/${show.id}`]) {
    const { status } = await request(`${address}${page}`)
    check(`GET ${page}`, status === 200, status)
  }
  return show
}

/** Asks for the tools of assistants. */
async function listTools(address, key) {
  const response = await fetch(`${address}/mcp`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  const body = await response.text()
  check(
    'POST /mcp',
    response.status === 200 && body.includes('where_to_watch'),
    `${response.status}: ${body.slice(0, 200)}`,
  )
}

async function request(url, headers = {}) {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(60_000) })
  // A stream of events does not end.
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body.cancel()
    return { status: response.status, body: '' }
  }
  return { status: response.status, body: await response.text() }
}

/** Starts the service; returns its address and a function that stops it and returns its exit code. */
async function serve() {
  const child = spawn(process.execPath, [program, 'serve'], { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const address = await new Promise((resolve, reject) => {
    const onOutput = (chunk) => {
      output += chunk
      const [, found] = /"address":"(http:[^"]+)"/.exec(output) ?? []
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    void exited.then(() => reject(new Error(`The service exited before it listened:\n${output}`)))
  })
  const stop = () => {
    child.kill('SIGTERM')
    return exited
  }
  return { address, stop, output: () => output }
}

async function smoke() {
  const commands = await listCommands()
  await succeed(['--version'])
  await succeed(['demo', '--shows', '40', '--countries', '2', '--seed', '1', '--out', feed, '--json'])
  await succeed(['validate', feed, '--json'])
  await succeed(['import', feed, '--json'])
  await succeed(['status', '--json'])
  const doctor = await run(['doctor', '--json'])
  check('marquee doctor', doctor.stdout.startsWith('{'), doctor.stderr)
  const keys = {}
  for (const source of ['direct', 'marketplace']) {
    const made = await succeed(['keys', 'create', '--source', source, '--plan', 'unlimited', '--json'])
    keys[source] = made.key
  }
  const { id } = await succeed(['keys', 'create', '--name', 'smoke', '--json'])
  await succeed(['keys', 'list', '--json'])
  await succeed(['keys', 'change', id, '--name', 'smoke test', '--json'])
  await succeed(['keys', 'plan', id, 'unlimited', '--json'])
  await succeed(['keys', 'rotate', id, '--json'])
  await succeed(['plans', '--json'])
  await succeed(['plans', 'set', 'smoke', '--json'])
  await succeed(['plans', 'remove', 'smoke', '--json'])
  await succeed(['webhooks', 'list', '--json'])
  await succeed(['admin', 'create', 'smoke@example.org', '--json'], 'a long enough password\n')
  await succeed(['accounts', 'list', '--json'])
  await succeed(['accounts', 'invite', 'other@example.org', '--json'])
  await succeed(['audit', '--json'])
  await succeed(['identities', '--json'])
  writeFileSync(join(env.MARQUEE_DATA, 'sources.json'), JSON.stringify({ sources: [] }))
  await succeed(['sources', 'check', '--json'])
  await succeed(['sources', 'list', '--json'])
  await succeed(['sources', 'rank', '--json'])
  await succeed(['openapi'])
  await succeed(['config', '--json'])

  const service = await serve()
  const show = await requestEverything(service.address, keys)
  const to = ['--url', service.address, '--key', keys.direct, '--json']
  await succeed(['search', show.title, '--country', 'us', ...to])
  await succeed(['where', show.id, ...to])
  await succeed(['mcp', '--url', service.address, '--key', keys.direct])
  await listTools(service.address, keys.direct)
  const copy = { MARQUEE_DATA: join(folder, 'copy'), V4_KEY: keys.direct }
  await succeed(
    ['sync', 'v4', '--from', `${service.address}/v4`, '--countries', 'us', '--rate', '100', '--json'],
    '',
    copy,
  )
  await succeed(['keys', 'usage', '--json'])
  await succeed(['keys', 'revoke', id, '--json'])
  await succeed(['export', '--out', join(folder, 'export.ndjson.gz'), '--json'])
  await succeed(['backup', join(folder, 'backup'), '--json'])
  const code = await service.stop()
  check('marquee serve stops on SIGTERM', code === 0, `exit ${code}`)
  check('nothing is deprecated', !/DeprecationWarning/.test(service.output()), service.output().slice(0, 500))
  return commands.length
}

try {
  const commands = await smoke()
  process.stdout.write(`Node ${process.versions.node}: ${passed} passed, ${failures} failed; ${commands} commands\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failures === 0 ? 0 : 1
