import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { marquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** An escape sequence, and a character that reverses the text after it. */
const CLEAR_SCREEN = '\x1b[2J\u202e'
const CONTROL_CHARACTER = /[^\P{Cc}\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

const env = () => ({ MARQUEE_DATA: temporaryFolder() })

test('control characters in a feed do not reach the terminal', async () => {
  const file = join(temporaryFolder(), 'feed.ndjson')
  const records = [
    { kind: 'feed', source: 'shop', mode: 'delta' },
    { kind: 'show', showType: CLEAR_SCREEN, ids: { imdb: CLEAR_SCREEN }, title: CLEAR_SCREEN },
    { kind: `nonsense ${CLEAR_SCREEN}` },
  ]
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const { stdout, stderr } = await marquee(['validate', file], env())
  expect(stdout).toContain('line 2,  [2J: ')
  expect(stdout + stderr).not.toMatch(CONTROL_CHARACTER)
})

test('control characters in key names do not reach the terminal', async () => {
  const folder = env()
  await marquee(['keys', 'create', '--name', `a${CLEAR_SCREEN}b`], folder)
  const { stdout } = await marquee(['keys', 'list'], folder)
  expect(stdout).toContain('a [2Jb')
  expect(stdout).not.toMatch(CONTROL_CHARACTER)
})

test('control characters in error messages do not reach the terminal', async () => {
  const { code, stderr } = await marquee(['keys', 'usage', CLEAR_SCREEN], env())
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'marquee: No key has the id  [2J\n' })
})

test('a title with control characters does not look like a command in the report of a check', async () => {
  const folder = env()
  const records = [
    { kind: 'feed', source: 'shop', mode: 'delta' },
    { kind: 'show', showType: 'movie', title: `Heat${CLEAR_SCREEN}\n    rm`, releaseYear: 1995, streamingOptions: {} },
  ]
  await marquee(['import', '-'], folder, Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join('')))
  const { code, stdout } = await marquee(['doctor'], folder)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ {2}- Heat \[2J {5}rm \(1995\): show 1$/m)
  expect(stdout).not.toMatch(CONTROL_CHARACTER)
})
