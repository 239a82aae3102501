/**
 * A process that imports deltas into a catalog, with the code of the built program: in a loop, or one for each message if
 * the third argument is `on-request`. Each delta adds some shows around those of the test and removes some earlier ones.
 * Sends a message after every import; exits on disconnect.
 */
import { once } from 'node:events'
import { importFeed } from '../../dist/ingest/import-feed.js'
import { LocalLedger } from '../../dist/ledger/local-ledger.js'

const [folder, firstId, isOnRequest] = [process.argv[2], Number(process.argv[3]), process.argv[4] === 'on-request']
const ledger = new LocalLedger(folder)
process.once('message', async (template) => {
  process.on('disconnect', () => process.exit(0))
  for (let round = 0; ; round++) {
    if (isOnRequest) await once(process, 'message')
    const records = [{ kind: 'feed', source: 'other', mode: 'delta' }]
    for (let i = 0; i < 20; i++) {
      const id = String(firstId + ((round * 20 + i) % 200))
      if ((round + i) % 3 === 0) records.push({ kind: 'remove', id })
      else records.push({ ...template, ...variant(id, round) })
    }
    const lines = async function* () {
      let line = 0
      for (const record of records) yield { line: ++line, text: JSON.stringify(record) }
    }
    await importFeed(lines, ledger, { clock: () => 1_773_576_000 + round })
    process.send?.(ledger.catalog.version())
    await new Promise((resolve) => setImmediate(resolve))
  }
})

/** A show whose sort values stay the same in every round, while its other fields change. */
function variant(id, round) {
  const n = Number(id)
  const title = String.fromCodePoint(65 + ((n * 7) % 26), 97 + ((n * 11) % 26)) + n
  return {
    id,
    imdbId: `tt9${id}`,
    tmdbId: `movie/9${id}`,
    title,
    originalTitle: title,
    overview: `Round ${round}`,
    releaseYear: 1950 + (n % 70),
    rating: n % 101,
    popularity: { us: { alltime: n % 50, '1year': n % 40, '1month': n % 30, '1week': n % 20 } },
  }
}
