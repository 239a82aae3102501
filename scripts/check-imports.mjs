/**
 * Checks the imports of `server/src`: arrows between layers and between the parts of a layer, cycles (type-only imports
 * included), and exports that nothing imports. Also keeps the tables of arrows in ARCHITECTURE.md: `--write` updates it,
 * and without that flag the check fails when the tables are out of date.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPOSITION_ROOT, LAYERS } from './layers.mjs'

const repository = fileURLToPath(new URL('..', import.meta.url))
const root = join(repository, 'server', 'src')
const problems = []

const files = new Map(readSources(root).map((file) => [file, parse(file)]))
const outside = [...readSources(join(repository, 'server', 'test'), /\.ts$/), ...readSources(root, /\.test\.ts$/)].map(
  parse,
)

checkOrder()
checkArrows()
checkCycles()
checkExports()
keepTable(join(repository, 'ARCHITECTURE.md'))

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
console.log(`imports: ${files.size} files, no wrong arrow, no cycle, no unused export`)

/** The TypeScript files below a folder: sources, or what the pattern takes. */
function readSources(folder, pattern = /^(?!.*\.test\.ts$).*\.ts$/) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

/** What a file imports (file and names; `*` stands for a whole module) and the names that it exports. */
function parse(file) {
  const text = readFileSync(file, 'utf8')
  const imports = []
  for (const [, names, target] of text.matchAll(
    /^(?:import|export)\s+(?:type\s+)?([^'"();]*?)\s*from\s+'(\.[^']+)'/gms,
  )) {
    imports.push({ file: resolve(dirname(file), target), names: parseNames(names) })
  }
  for (const [, target] of text.matchAll(/\bimport\(\s*'(\.[^']+)'\s*\)|^import\s+'(\.[^']+)'/gm)) {
    if (target !== undefined) imports.push({ file: resolve(dirname(file), target), names: ['*'], lazy: true })
  }
  const exports = [
    ...text.matchAll(
      /^export\s+(?:async\s+|abstract\s+|declare\s+)*(class|function\*?|const|let|interface|type|enum)\s+(\w+)/gm,
    ),
  ].map(([, kind, name]) => ({ name, isInUse: /interface|type/.test(kind) && isMentionedTwice(text, name) }))
  return { file, imports, exports }
}

/** A type may be exported for the signatures of its own file. */
function isMentionedTwice(text, name) {
  return (text.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1
}

function parseNames(clause) {
  if (clause.includes('*')) return ['*']
  return clause
    .replace(/[{}]/g, ' ')
    .split(',')
    .map(
      (name) =>
        name
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0],
    )
    .filter((name) => name !== '')
}

/** Where a file lies: its layer, and its part, which is a folder of the layer (`.` for files directly in the layer). */
function locate(file) {
  const [layer, ...rest] = relative(root, file).split(sep)
  if (rest.length === 0) return { layer: undefined }
  return { layer, part: rest.length === 1 ? '.' : rest[0] }
}

/** Parts are listed from the bottom up, so that their arrows have no cycle. */
function checkOrder() {
  for (const [layer, { parts = {} }] of Object.entries(LAYERS)) {
    const below = ['.']
    for (const [part, imports] of Object.entries(parts)) {
      for (const one of imports) {
        if (!below.includes(one))
          problems.push(`scripts/layers.mjs: ${layer}/${part} imports ${one}, which is not below it`)
      }
      below.push(part)
    }
  }
}

function checkArrows() {
  for (const { file, imports } of files.values()) {
    const from = locate(file)
    if (from.layer === undefined) continue
    const rules = LAYERS[from.layer]
    if (rules === undefined) {
      report(file, `the folder "${from.layer}" is not a known layer; add it to scripts/layers.mjs`)
      continue
    }
    for (const { file: target } of imports) {
      const to = locate(target)
      if (to.layer === from.layer) checkPartArrow(file, rules, from.part, to.part)
      else if (to.layer === undefined || (COMPOSITION_ROOT.includes(to.layer) && !rules.imports.includes(to.layer))) {
        if (!COMPOSITION_ROOT.includes(from.layer)) report(file, `imports the composition root: ${name(target)}`)
        else if (to.layer !== undefined) report(file, `${from.layer} may not import ${to.layer} (${name(target)})`)
      } else if (!rules.imports.includes(to.layer)) {
        report(file, `${from.layer} may not import ${to.layer} (${name(target)})`)
      }
    }
  }
}

/** Files directly in a layer's folder may import all of its parts; a part only what its rule lists. */
function checkPartArrow(file, { parts }, from, to) {
  if (parts === undefined || from === to || from === '.') return
  if (parts[from] === undefined) report(file, `the part "${from}" is not listed in scripts/layers.mjs`)
  else if (!parts[from].includes(to)) report(file, `the part ${from} may not import the part ${to}`)
}

/** Strongly connected components of more than one file (Tarjan's algorithm). */
function checkCycles() {
  const index = new Map()
  const low = new Map()
  const stack = []
  const visit = (file) => {
    index.set(file, index.size)
    low.set(file, index.get(file))
    stack.push(file)
    for (const { file: target, lazy } of files.get(file).imports) {
      if (lazy || !files.has(target)) continue
      if (!index.has(target)) visit(target)
      if (stack.includes(target)) low.set(file, Math.min(low.get(file), low.get(target)))
    }
    if (low.get(file) !== index.get(file)) return
    const component = stack.splice(stack.indexOf(file))
    if (component.length > 1) problems.push(`import cycle: ${component.map(name).join(', ')}`)
  }
  for (const file of files.keys()) if (!index.has(file)) visit(file)
}

function checkExports() {
  const used = new Map()
  for (const { imports } of [...files.values(), ...outside]) {
    for (const { file, names } of imports) {
      if (!used.has(file)) used.set(file, new Set())
      for (const one of names) used.get(file).add(one)
    }
  }
  for (const { file, exports } of files.values()) {
    const names = used.get(file)
    if (names?.has('*')) continue
    for (const { name: one, isInUse } of exports) {
      if (!isInUse && !names?.has(one)) report(file, `nothing imports "${one}"`)
    }
  }
}

/** Rewrites or compares the table between the markers of the document. */
function keepTable(path) {
  const begin = '<!-- arrows: generated by `npm run layers` -->'
  const end = '<!-- /arrows -->'
  const text = readFileSync(path, 'utf8')
  const start = text.indexOf(begin)
  const stop = text.indexOf(end)
  if (start < 0 || stop < 0) {
    problems.push('ARCHITECTURE.md has no markers for the table of arrows')
    return
  }
  const current = `${text.slice(0, start)}${begin}\n\n${table()}\n\n${text.slice(stop)}`
  if (current === text) return
  if (process.argv.includes('--write')) writeFileSync(path, current)
  else problems.push('ARCHITECTURE.md: the table of arrows is out of date; run `npm run layers`')
}

/** A table of the layers, and below it a line for each part. */
function table() {
  const code = (names) => (names.length === 0 ? 'nothing' : names.map((one) => `\`${one}\``).join(', '))
  const layers = Object.entries(LAYERS).map(([layer, { imports }]) => [`\`${layer}\``, code(imports)])
  const parts = Object.entries(LAYERS).flatMap(([layer, { parts = {} }]) =>
    Object.entries(parts).map(([part, imports]) => [
      `\`${layer}/${part}\``,
      code(imports.map((one) => (one === '.' ? `${layer}/` : one))),
    ]),
  )
  return [
    ...formatTable([['layer', 'may import'], ...layers]),
    '',
    ...formatTable([['part', 'may import of its layer'], ...parts]),
  ].join('\n')
}

function formatTable([head, ...rows]) {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)))
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)]
}

function report(file, problem) {
  problems.push(`${name(file)}: ${problem}`)
}

function name(file) {
  return relative(root, file).split(sep).join('/')
}
