import { expect, it } from 'vitest'
import { CatalogFormatError } from '../../catalog/catalog.ts'
import { isDataDamaged } from './replica-directory.ts'

const withCode = (code: number | string, message: string) => Object.assign(new Error(message), { code })

it.each([
  ['a page that is damaged', withCode(-30_796, 'MDB_CORRUPTED: Located page was wrong type')],
  ['a page that is missing', withCode(-30_797, 'MDB_PAGE_NOTFOUND: Requested page not found')],
  ['a file that is not of LMDB', withCode(-30_793, 'MDB_INVALID: File is not an LMDB file')],
  ['a catalog of another format', new CatalogFormatError(1)],
  ['a value that is not JSON', new SyntaxError('Unexpected end of JSON input')],
])('%s counts as damaged data', (_, error) => {
  expect(isDataDamaged(error)).toBe(true)
})

it.each([
  ['too many open files', withCode(24, 'Too many open files: Attempting to setup locks')],
  ['too many readers', withCode(-30_790, 'MDB_READERS_FULL: Environment maxreaders limit reached')],
  ['a full disk', withCode(28, 'No space left on device')],
  ['a file that may not be read', withCode('EACCES', 'EACCES: permission denied')],
  ['a bug of the program', new TypeError('undefined is not a function')],
])('%s does not', (_, error) => {
  expect(isDataDamaged(error)).toBe(false)
})
