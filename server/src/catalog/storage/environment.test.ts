import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { makeFolder } from '../../lib/files.ts'
import { openLmdb } from '../../lib/lmdb/lmdb.ts'
import { Catalog } from '../catalog.ts'
import { openEnvironment } from './environment.ts'

test.each([[[]], [['meta']], [['meta', 'ids', 'facts', 'texts']]])(
  'a catalog whose creation ended after the tables %j can be read, as an empty one',
  async (tables) => {
    const folder = temporaryFolder()
    makeFolder(join(folder, 'catalog'))
    const unfinished = openLmdb({ path: join(folder, 'catalog'), maxDbs: 32, encoding: 'binary' })
    for (const name of tables) unfinished.openDB(name, { encoding: 'json' })
    await unfinished.close()

    const environment = openEnvironment(folder, { readOnly: true })
    expect(Object.entries(environment).filter(([, table]) => table === undefined)).toEqual([])
    const catalog = new Catalog(environment)
    expect(catalog.version()).toBe(0)
    expect([...environment.ids.getRange()]).toEqual([])
    await environment.root.close()
  },
)
