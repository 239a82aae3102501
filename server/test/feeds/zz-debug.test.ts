import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { it } from 'vitest'
import { exportFeed } from '../../src/ingest/export-feed.ts'
import { importFeed } from '../../src/ingest/import-feed.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { NOW } from '../support/builders.ts'
import { feedFromRecords } from '../support/feed.ts'
import { anyFeeds } from '../support/identity/contradictory-feeds.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
it('debug', async () => {
  const [feeds] = fc.sample(anyFeeds, { seed: Number(process.env.S), path: process.env.P, numRuns: 1 }) as any
  const ledger = new LocalLedger(temporaryFolder())
  const exported = () => Array.from(exportFeed(ledger.catalog), (r) => JSON.stringify(r)).filter((l) => l.includes('"kind":"show"')).map(l => l.replace(/"imageSet":\{.*?\}\},/, '').replace(/"streamingOptions":.*?"originalLang/, '"originalLang').replace(/"streamingOptions":.*?"translat/, '"translat'))
  const out: string[] = []
  for (const feed of [...feeds, feeds.at(-1)]) {
    const before = exported()
    const r = await importFeed(feedFromRecords(feed), ledger, { clock: () => NOW, force: true })
    const after = exported()
    out.push(`--- ${feed[0].source} ${feed[0].mode} created ${r.created} altered ${r.altered} ${JSON.stringify(r.changes)} ${JSON.stringify(r.noticeList.filter(n=>n.code!=='missing_images').map(n=>n.code+': '+n.message))}`)
    for (const rec of feed.filter((r: any) => r.kind === 'show')) out.push('   rec ' + JSON.stringify({...rec, imageSet:0, seasons:0, streamingOptions: 0}))
    for (const l of after) if (!before.includes(l)) out.push('   + ' + l)
    for (const l of before) if (!after.includes(l)) out.push('   - ' + l)
  }
  writeFileSync('/tmp/fid/debug.txt', out.join('\n'))
  await ledger.close()
})
