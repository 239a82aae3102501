/**
 * Writes the packages of the client libraries into `server/clients`, from which the service serves them: the Python client
 * as a wheel and a source archive, the TypeScript client as npm packs it (build it before), the Go client as the zip of a
 * module. Needs neither their tools nor the network. Equal sources give equal bytes.
 *
 *   node scripts/build-client-packages.mjs [FOLDER]
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateRawSync, gzipSync } from 'node:zlib'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCE = join(ROOT, 'python')
const TARGET = join(ROOT, 'server', 'clients')

const read = (path) => readFileSync(join(SOURCE, path))
const project = String(read('pyproject.toml'))
const setting = (name) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(project)[1]
const version = setting('version')
const stem = `marquee_client-${version}`

/** The package's own files. */
const modules = readdirSync(join(SOURCE, 'marquee_client'))
  .filter((name) => name.endsWith('.py') || name === 'py.typed')
  .sort()
  .map((name) => [`marquee_client/${name}`, read(`marquee_client/${name}`)])

const metadata = Buffer.from(`Metadata-Version: 2.1
Name: ${setting('name')}
Version: ${version}
Summary: ${setting('description')}
License: MIT
Requires-Python: ${setting('requires-python')}
Description-Content-Type: text/markdown

${read('README.md')}`)

/** The wheel: a ZIP with a list of its files and their digests. */
function wheel() {
  const info = `${stem}.dist-info`
  const files = [
    ...modules,
    [`${info}/LICENSE`, read('LICENSE')],
    [`${info}/METADATA`, metadata],
    [
      `${info}/WHEEL`,
      Buffer.from('Wheel-Version: 1.0\nGenerator: marquee\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
    ],
  ]
  const record = files.map(([name, data]) => {
    return `${name},sha256=${createHash('sha256').update(data).digest('base64url')},${data.length}\n`
  })
  return zip([...files, [`${info}/RECORD`, Buffer.from(`${record.join('')}${info}/RECORD,,\n`)]])
}

/** The source archive: a gzipped tar. */
function sourceArchive() {
  const files = [
    ...['pyproject.toml', 'README.md', 'LICENSE'].map((name) => [name, read(name)]),
    ['PKG-INFO', metadata],
    ...modules,
  ]
  return gzippedTar(files.map(([name, data]) => [`${stem}/${name}`, data]))
}

/** The TypeScript client, as `npm pack` would write it. */
function npmPackage() {
  const folder = join(ROOT, 'client')
  const names = [
    'package.json',
    'README.md',
    'LICENSE',
    ...filesBelow(folder, 'dist'),
    ...filesBelow(folder, 'examples'),
  ]
  return gzippedTar(names.map((name) => [`package/${name}`, readFileSync(join(folder, name))]))
}

/** The Go client as a module zip: each path begins with the module and its version. Tests stay out. */
function goModule(module, goVersion) {
  const folder = join(ROOT, 'marquee')
  const names = filesBelow(folder, '').filter(
    (name) => name === 'go.mod' || name === 'README.md' || (/^[^/]+\.go$/.test(name) && !name.endsWith('_test.go')),
  )
  const files = [
    ...names.map((name) => [name, readFileSync(join(folder, name))]),
    ['LICENSE', readFileSync(join(ROOT, 'LICENSE'))],
  ]
  return zip(files.map(([name, data]) => [`${module}@${goVersion}/${name}`, data]))
}

/** The files below a folder of a package, as paths from the package. */
function filesBelow(folder, below) {
  return readdirSync(join(folder, below), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath ?? entry.path, entry.name)
        .slice(folder.length)
        .replace(/^\//, ''),
    )
    .sort()
}

/** A gzipped tar without times or owners. */
function gzippedTar(files) {
  const blocks = files.flatMap(([name, data]) => [tarHeader(name, data.length), padded(data)])
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]))
}

/** A ZIP of files with the earliest time that the format knows. */
function zip(files) {
  const parts = []
  const directory = []
  let offset = 0
  for (const [name, data] of files) {
    const packed = deflateRawSync(data, { level: 9 })
    const path = Buffer.from(name)
    // Version, flags (UTF-8), method (deflate), time, date, checksum, sizes, lengths of name and extra field.
    const common = Buffer.alloc(26)
    for (const [at, value] of [
      [0, 20],
      [2, 0x800],
      [4, 8],
      [6, 0],
      [8, 0x21],
    ])
      common.writeUInt16LE(value, at)
    for (const [at, value] of [
      [10, crc32(data)],
      [14, packed.length],
      [18, data.length],
    ])
      common.writeUInt32LE(value, at)
    common.writeUInt16LE(path.length, 22)
    parts.push(Buffer.from('PK\x03\x04'), common, path, packed)
    const rest = Buffer.alloc(14)
    // A regular file that all may read.
    rest.writeUInt32LE((0o100644 << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    // Made by: Unix.
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, rest, path)
    offset += 4 + common.length + path.length + packed.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, entries, end])
}

/** The checksum of ZIP. Node has one of its own only from 20.15 on. */
function crc32(data) {
  let crc = 0xffffffff
  for (const byte of data) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

function tarHeader(name, size) {
  const header = Buffer.alloc(512)
  const fields = [
    [0, name],
    [100, '0000644\0'],
    [108, '0000000\0'],
    [116, '0000000\0'],
    [136, '00000000000\0'],
    [148, '        '],
  ]
  for (const [at, text] of fields) header.write(text, at, 'latin1')
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('0', 156)
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

function padded(data) {
  return Buffer.concat([data, Buffer.alloc((512 - (data.length % 512)) % 512)])
}

const folder = process.argv[2] ?? TARGET
mkdirSync(folder, { recursive: true })
// Those of earlier versions.
for (const name of readdirSync(folder)) if (/^marquee[_-]/.test(name)) rmSync(join(folder, name))
writeFileSync(join(folder, `${stem}-py3-none-any.whl`), wheel())
writeFileSync(join(folder, `${stem}.tar.gz`), sourceArchive())
writeFileSync(join(folder, 'marquee-client.tgz'), npmPackage())
const goMod = readFileSync(join(ROOT, 'marquee', 'go.mod'), 'utf8')
const goVersion = `v${JSON.parse(readFileSync(join(ROOT, 'client', 'package.json'), 'utf8')).version}`
const [, module] = /^module (.+)$/m.exec(goMod)
writeFileSync(join(folder, `marquee-go-${goVersion}.mod`), goMod)
writeFileSync(join(folder, `marquee-go-${goVersion}.zip`), goModule(module, goVersion))
