import { expect, it } from 'vitest'
import { DamagedCatalogError } from '../../catalog/storage/environment.ts'
import { describeFailure } from './command-exit.ts'

it.each([
  new Error('No native build was found for platform=linux arch=x64 runtime=node abi=127'),
  new Error("The module 'x.node' was compiled against a different Node.js version using NODE_MODULE_VERSION 115."),
  Object.assign(new Error('libstdc++.so.6: cannot open shared object file'), { code: 'ERR_DLOPEN_FAILED' }),
])('says in one line that Node was replaced without npm ci', (error) => {
  const sentence = describeFailure(error)
  expect(sentence).toContain(process.version)
  expect(sentence).toContain('`npm ci`')
  expect(sentence).not.toContain('\n')
})

it('names damage of the catalog in one line, without a stack trace', () => {
  const error = new DamagedCatalogError(
    'texts',
    'the texts of document 7 do not have their checksum',
    new Error('inner'),
  )
  expect(describeFailure(error)).toBe(
    'The catalog is damaged: the texts of document 7 do not have their checksum; `marquee verify` lists all damage',
  )
})
