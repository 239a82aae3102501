import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const SOURCES = fileURLToPath(new URL('..', import.meta.url))
const PAGE = fileURLToPath(new URL('../../../docs/operating.md', import.meta.url))

/** The files of the server that write log lines, without tests. */
function sourceTexts(): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
}

it('every log event is documented, and every documented one exists', () => {
  const used = new Set(
    sourceTexts().flatMap((text) => [...text.matchAll(/\{ event: '(\w+)'/g)].map(([, name]) => name)),
  )
  const [, table = ''] = /\n(\| event .*?\n)\n/s.exec(readFileSync(PAGE, 'utf8')) ?? []
  const documented = new Set([...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name))
  expect([...documented].sort()).toEqual([...used].sort())
})

it('every log line has an event', () => {
  const calls = sourceTexts().flatMap((text) => [
    ...text.matchAll(/\b(?:logger|log)\.(?:trace|debug|info|warn|error|fatal)\(\s*([^)]*)/g),
  ])
  expect(calls.length).toBeGreaterThan(25)
  // The fields are a literal with an event, or a variable that was built with one just before.
  for (const [call, fields = ''] of calls) expect(fields, call).toMatch(/^(?:\{ event: '|context\b|fields\b|failure\b)/)
})
