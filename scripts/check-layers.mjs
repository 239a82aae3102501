/**
 * Keeps the arrows between the layers of the server one-way: every layer lists the layers it may import.
 * The files directly in `server/src`, with `commands` and `serving`, are the composition root: they may import
 * anything, and no layer may import them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

const root = resolve(import.meta.dirname ?? dirname(new URL(import.meta.url).pathname), '..', 'server', 'src')

const mayImport = {
  lib: [],
  model: [],
  catalog: ['lib', 'model'],
  query: ['lib', 'model', 'catalog'],
  render: ['lib', 'model', 'catalog', 'query'],
  ledger: ['lib', 'model', 'catalog'],
  ingest: ['lib', 'model', 'catalog', 'ledger'],
  connectors: ['lib', 'model', 'catalog', 'ledger', 'ingest'],
  accounts: ['lib', 'model'],
  http: ['lib', 'model', 'catalog', 'query', 'render', 'accounts'],
  demo: ['lib', 'model', 'catalog', 'ledger', 'ingest'],
}

const compositionRoot = ['commands', 'serving', 'runtime']

const problems = []
for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.ts$/.test(entry.name) || /\.test\.ts$/.test(entry.name)) continue
  const file = join(entry.parentPath ?? entry.path, entry.name)
  const layer = layerOf(file)
  if (layer === undefined) continue
  if (!(layer in mayImport)) {
    problems.push(`${relative(root, file)}: the folder "${layer}" is not a known layer`)
    continue
  }
  for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    const to = resolve(dirname(file), target)
    const toLayer = layerOf(to)
    if (toLayer === layer) continue
    if (toLayer === undefined) problems.push(`${relative(root, file)} imports the composition root: ${target}`)
    else if (!mayImport[layer].includes(toLayer)) {
      problems.push(`${relative(root, file)}: ${layer} may not import ${toLayer} (${target})`)
    }
  }
}
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}
console.log('layers: every arrow points the right way')

/** The layer a file belongs to, or undefined for the composition root. */
function layerOf(file) {
  const parts = relative(root, file).split(sep)
  return parts.length > 1 && !compositionRoot.includes(parts[0]) ? parts[0] : undefined
}
