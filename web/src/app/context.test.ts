import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = join(import.meta.dirname, '..')

/** Declarations of a module that can change, or that notify: requests that are rendered at the same time would share them. */
const MUTABLE = /^(?:export )?(?:let |var |const \w+ = (?:signal|computed|effect)\b)/m

it('is the only place of state: no module has a variable of its own', () => {
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter(
    (file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'),
  )
  expect(files.length).toBeGreaterThan(80)
  expect(files.filter((file) => MUTABLE.test(readFileSync(join(folder, file), 'utf8')))).toEqual([])
})
