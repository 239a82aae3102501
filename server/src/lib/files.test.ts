import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { makeFolder } from './files.ts'

it('makes folders that only their owner can enter, whatever the umask', () => {
  const before = process.umask(0o000)
  try {
    const path = join(temporaryFolder(), 'data', 'catalog')
    makeFolder(path)
    makeFolder(path)
    for (const folder of [path, join(path, '..')]) expect(statSync(folder).mode & 0o777).toBe(0o700)
  } finally {
    process.umask(before)
  }
})
