/** `npm run bench -- report [--check]`: writes the stored figures into docs/performance.md, or checks that they are there. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { renderPage } from './results/report.ts'
import { readResults } from './results/store.ts'

const PAGE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url))

const { values } = parseArgs({
  args: process.argv.slice(2).filter((arg) => arg !== 'report'),
  options: { check: { type: 'boolean', default: false } },
})

const page = readFileSync(PAGE, 'utf8')
const rendered = renderPage(page, readResults())
if (values.check) {
  if (rendered !== page) {
    console.error('docs/performance.md differs from bench/results/latest.json. Run: npm run bench -- report')
    process.exitCode = 1
  }
} else if (rendered === page) {
  console.log('docs/performance.md is up to date.')
} else {
  writeFileSync(PAGE, rendered)
  console.log('docs/performance.md was updated from bench/results/latest.json.')
}
