import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { Catalog } from '../../src/catalog/catalog.ts'
import { hasCatalog, openEnvironment } from '../../src/catalog/storage/environment.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { onFileFinished } from '../support/file-cleanup.ts'
import { eventually, marquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/marquee.js', import.meta.url))

let folder: string
let env: Record<string, string>

beforeAll(async () => {
  folder = temporaryFolder(onFileFinished)
  env = { MARQUEE_DATA: join(folder, 'data') }
  mkdirSync(join(folder, 'folder'))
  await marquee(['demo', '--shows', '20', '--out', join(folder, 'demo.ndjson')], env)
  expect(await marquee(['import', join(folder, 'demo.ndjson')], env)).toMatchObject({ code: 0 })
})

const at = (name: string) => join(folder, name)

describe('a system error becomes one sentence', () => {
  const full = '/dev/full'
  const onData = (data: string, more = {}) => ({ MARQUEE_DATA: data, ...more })
  it.each<[name: string, args: () => string[], env: () => Record<string, string>, message: RegExp]>([
    ['an export onto a folder', () => ['export', '--out', at('folder')], () => env, /folder cannot be .* is a folder/],
    ['an export to nowhere', () => ['export', '--out', at('no/x')], () => env, /no\/x .* there is no such folder/],
    ['an export onto a full disk', () => ['export', '--out', full], () => env, /\/dev\/full .* no space is left/],
    ['a demo onto a full disk', () => ['demo', '--shows', '5', '--out', full], () => env, /no space is left/],
    ['a backup onto a file', () => ['backup', at('demo.ndjson')], () => env, /demo\.ndjson cannot be made/],
    ['a backup where no folder can be', () => ['backup', '/proc/backup'], () => env, /\/proc\/backup cannot be made/],
    ['the status of a file', () => ['status'], () => onData(at('demo.ndjson')), /MARQUEE_DATA .* is no folder/],
    ['the keys of a file', () => ['keys', 'list'], () => onData(at('demo.ndjson')), /MARQUEE_DATA .* is no folder/],
    [
      'a schedule that is a folder',
      () => ['sources', 'check'],
      () => ({ ...env, MARQUEE_SOURCES: at('folder') }),
      /folder/,
    ],
  ])('%s', async (_, args, more, message) => {
    const { code, stdout, stderr } = await marquee(args(), more())
    expect(stderr).toMatch(/^marquee: [^\n]+\n$/)
    expect(stderr).toMatch(message)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })

  it.each([
    ['an export', ['export']],
    ['a status', ['status']],
  ])('%s on a full standard output', async (_, args) => {
    const command = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ')
    const { status, stderr } = inShell(`${command} > /dev/full`, env)
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'marquee: Standard output cannot be written: no space is left\n',
    })
  })

  it('an import that the disk has no room for', () => {
    const data = at('no-room')
    const command = `ulimit -f 400; '${process.execPath}' '${PROGRAM}' import '${at('demo.ndjson')}'`
    const { status, stderr } = inShell(command, { MARQUEE_DATA: data })
    // A slow machine prints lines of progress before.
    const said = stderr.replace(/^\[.*\n/gm, '')
    expect(said).toMatch(/^marquee: The data folder \S+no-room cannot be used: the disk is full, or it failed\n$/)
    expect(status).toBe(1)
  })
})

describe('a catalog whose file is damaged', () => {
  it.each<[name: string, damage: (file: Buffer) => Buffer]>([
    ['cut off in the middle', (file) => file.subarray(0, file.length / 2)],
    ['cut off within its first pages', (file) => file.subarray(0, 6_000)],
    ['overwritten at its beginning', (file) => Buffer.concat([Buffer.alloc(4_096, 'x'), file.subarray(4_096)])],
    ['something else', () => Buffer.from('no database')],
  ])('%s: the message names the file and what to do', async (name, damage) => {
    const data = at(`damaged, ${name}`)
    mkdirSync(join(data, 'catalog'), { recursive: true })
    const whole = readFileSync(join(folder, 'data', 'catalog', 'data.mdb'))
    writeFileSync(join(data, 'catalog', 'data.mdb'), damage(whole))
    const command = name === 'something else' ? 'serve' : 'status'
    const { code, stderr } = await marquee([command], { MARQUEE_DATA: data, PORT: '0' })
    expect(stderr).toMatch(/^marquee: The catalog in .*data\.mdb is damaged: .*docs\/operating\.md.*\n$/)
    expect(code).toBe(1)
  })

  it('may lack pages at its end that LMDB has allocated and never written', async () => {
    const data = at('short')
    const { root } = openEnvironment(data)
    const scratch = root.openDB<Buffer, number>('scratch', { encoding: 'binary', keyEncoding: 'uint32' })
    const file = join(data, 'catalog', 'data.mdb')
    root.transactionSync(() => {
      for (let i = 0; i < 300; i++) scratch.putSync(i, Buffer.alloc(1_500))
      for (let i = 299; i >= 5; i--) scratch.removeSync(i)
    })
    await root.close()
    // LMDB counts allocated pages, including freed ones that it never wrote.
    const counted = Math.max(...[0, 4_096].map((at) => Number(readFileSync(file).readBigUInt64LE(at + 144))))
    expect((counted + 1) * 4_096).toBeGreaterThan(statSync(file).size)
    expect(await marquee(['status'], { MARQUEE_DATA: data })).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('files that are no feeds', () => {
  beforeAll(() => {
    writeFileSync(at('empty.ndjson'), '')
    writeFileSync(at('nothing.ndjson.gz'), gzipSync(''))
    writeFileSync(at('page.html'), '<html>\n<p>502 Bad Gateway</p>\n</html>\n')
  })

  it.each<[name: string, feeds: () => string[], message: RegExp]>([
    ['an empty file', () => [at('empty.ndjson')], /empty\.ndjson cannot be read: it is empty/],
    ['empty standard input', () => ['-'], /The feed - cannot be read: it is empty/],
    ['an empty archive', () => [at('nothing.ndjson.gz')], /nothing\.ndjson\.gz holds no records; nothing was imported/],
    ['something else', () => [at('page.html')], /page\.html holds no records; nothing was imported/],
    ['a missing one among others', () => [at('demo.ndjson'), at('none'), at('empty.ndjson')], /none .*exist\n.*empty/],
    ['standard input twice', () => ['-', '-'], /Standard input can be read only once/],
    [
      'a missing mapping',
      () => [at('demo.ndjson'), '--mapping', at('none.json')],
      /none\.json cannot be .* not exist$/m,
    ],
  ])('%s is refused, and leaves nothing behind', async (name, feeds, message) => {
    const own = { MARQUEE_DATA: at(`none, ${name}`) }
    const { code, stdout, stderr } = await marquee(['import', ...feeds()], own)
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain('ENOENT')
    expect(stdout).not.toContain('imported,')
    expect(code).toBe(1)
    if (!hasCatalog(own.MARQUEE_DATA)) return
    const environment = openEnvironment(own.MARQUEE_DATA, { readOnly: true })
    const catalog = new Catalog(environment)
    expect([catalog.counts().shows, catalog.sources()]).toEqual([0, []])
    await environment.root.close()
  })

  it('make no catalog if they cannot be opened', async () => {
    const own = { MARQUEE_DATA: at('no catalog') }
    await marquee(['import', at('none')], own)
    expect(existsSync(at('no catalog'))).toBe(false)
  })
})

describe('an interrupted import', () => {
  it('prints the state that is left behind, also in the middle of a commit', async () => {
    const feed = at('large.ndjson')
    // The commits take seconds, and a look at the lock a millisecond.
    await marquee(['demo', '--shows', '4000', '--countries', '2', '--out', feed], env)
    const own = { MARQUEE_DATA: at('interrupted') }
    const child = spawn(process.execPath, [PROGRAM, 'import', feed], { env: { ...process.env, ...own }, stdio: 'pipe' })
    onFileFinished(() => void child.kill('SIGKILL'))
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    // Once the import lock is taken, the feed has been read.
    await eventually(async () => {
      if (!hasCatalog(own.MARQUEE_DATA)) return undefined
      const ledger = new LocalLedger(own.MARQUEE_DATA)
      return (await ledger.tasks.holder('import').finally(() => ledger.close())) ?? undefined
    })
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    expect(stderr).toMatch(/marquee: Interrupted\. What was committed stays; import the feed again to complete it\.\n$/)
    expect(code).toBe(130)
    expect((await marquee(['import', at('demo.ndjson'), '--no-wait'], own)).code).toBe(0)
  })
})

describe('an output file', () => {
  it('replaces an existing file only when it is complete, and leaves nothing behind when interrupted', async () => {
    const out = at('kept.ndjson')
    writeFileSync(out, 'what was there before\n', { mode: 0o600 })
    const child = spawn(process.execPath, [PROGRAM, 'demo', '--shows', '1000000', '--out', out], { stdio: 'pipe' })
    onFileFinished(() => void child.kill('SIGKILL'))
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    const partial = () => readdirSync(folder).find((name) => name.startsWith('kept.ndjson.'))
    await eventually(async () => (statSync(at(partial() ?? 'none')).size > 0 ? true : undefined))
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    expect(stderr).toMatch(/marquee: \S+kept\.ndjson was not written\n$/)
    expect(code).toBe(130)
    expect(partial()).toBeUndefined()
    expect(readFileSync(out, 'utf8')).toBe('what was there before\n')

    expect(await marquee(['export', '--out', out], env)).toMatchObject({ code: 0 })
    expect(readFileSync(out, 'utf8')).toMatch(/^{"kind":"feed","source":"export"/)
    expect(statSync(out).mode & 0o777).toBe(0o600)
    expect(partial()).toBeUndefined()
  })
})

function inShell(command: string, more: Record<string, string>): { status: number; stderr: string } {
  try {
    execFileSync('bash', ['-c', command], { env: { ...process.env, ...more }, stdio: 'pipe' })
    return { status: 0, stderr: '' }
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: Buffer }
    return { status, stderr: stderr.toString() }
  }
}
