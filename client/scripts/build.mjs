/** Compiles the client twice, as ES modules and as CommonJS, each with its types, and tells Node which is which. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('..', import.meta.url))
const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
const compiler = join(dirname(typescript), 'bin', 'tsc')

rmSync(join(folder, 'dist'), { recursive: true, force: true })
for (const [config, kind, type] of [
  ['tsconfig.build.json', 'esm', 'module'],
  ['tsconfig.cjs.json', 'cjs', 'commonjs'],
]) {
  execFileSync(process.execPath, [compiler, '-p', join(folder, config)], { stdio: 'inherit' })
  const target = join(folder, 'dist', kind)
  writeFileSync(join(target, 'package.json'), `${JSON.stringify({ type, sideEffects: false })}\n`)
  useCompiledNames(target)
}

/** The compiler leaves `.ts` in the imports of declarations, which not every reader of them can follow. */
function useCompiledNames(target) {
  for (const file of readdirSync(target).filter((name) => name.endsWith('.d.ts'))) {
    const text = readFileSync(join(target, file), 'utf8')
    writeFileSync(join(target, file), text.replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
  }
}
