import { marquee } from '../../../server/test/support/marquee-process.ts'

/** Imports a show that can be watched nowhere, so that a check of the catalog finds something. */
export async function importUnofferedShow(env: Record<string, string>): Promise<void> {
  const records = [
    { kind: 'feed', source: 'unoffered', mode: 'delta' },
    { kind: 'show', showType: 'movie', title: 'Seen Nowhere', releaseYear: 1999, streamingOptions: {} },
  ]
  const feed = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const { code, stderr } = await marquee(['import', '-'], env, feed)
  if (code !== 0) throw new Error(stderr)
}
