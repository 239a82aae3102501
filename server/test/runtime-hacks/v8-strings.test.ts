import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/* Canary for how V8 represents strings; see server/src/lib/runtime-hacks/README.md. */

const PROGRAM = `
  const parts = 'x'.repeat(40)
  const concatenated = parts + process.pid + 'y'.repeat(40)
  const sliced = Buffer.alloc(1000, 97).toString('latin1').slice(5, 60)
  const copy = (text) => Buffer.from(text, 'latin1').toString('latin1')
  for (const text of [concatenated, copy(concatenated), sliced, copy(sliced)]) %DebugPrint(text)
`

test('a concatenation and a slice are views, and a string from a buffer is flat', () => {
  const printed = execFileSync(process.execPath, ['--allow-natives-syntax', '-e', PROGRAM], { encoding: 'utf8' })
  const types = [...printed.matchAll(/ - type: (\w*)ONE_BYTE_STRING_TYPE/g)]
  expect(types.map(([, kind = '']) => kind.replace('SEQ_', ''))).toEqual(['CONS_', '', 'SLICED_', ''])
})
