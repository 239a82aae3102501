import { open } from 'lmdb'

/* Reads everything in an LMDB environment. Of a file that was cut off a process dies: this one, in place of another. */
const root = open({ path: process.argv[2] as string, maxDbs: 64, readOnly: true, encoding: 'binary' })
for (const name of root.getKeys()) {
  const table = root.openDB({ name: String(name), encoding: 'binary', keyEncoding: 'binary' })
  for (const _ of table.getRange());
}
