/**
 * Reads a source to the end through its connector in the built program, against an empty catalog, and prints the counts
 * and the peak memory: `node read-source-child.mjs FORMAT PATH OPTIONS DATA`.
 */

import { openSource } from '../../dist/connectors/registry.js'
import { LocalLedger } from '../../dist/ledger/local-ledger.js'

// Not maxRSS of the system: it starts with the memory of the parent at the fork.
let maxBytes = 0
const measure = () => {
  maxBytes = Math.max(maxBytes, process.memoryUsage.rss())
}
const measuring = setInterval(measure, 2)

const [format, path, options, data] = process.argv.slice(2)
const ledger = new LocalLedger(data)
const feed = await openSource({ format, path, options: JSON.parse(options) }, { catalog: ledger.catalog })
const counts = { records: 0, episodes: 0, problems: {} }
for await (const line of feed.lines()) {
  if ('text' in line) {
    counts.records++
    for (const season of JSON.parse(line.text).seasons ?? []) counts.episodes += season.episodes.length
  } else if ('problem' in line) counts.problems[line.problem] = (counts.problems[line.problem] ?? 0) + 1
}
measure()
clearInterval(measuring)
await feed.dispose()
await ledger.close()
process.stdout.write(JSON.stringify({ ...counts, megabytes: Math.round(maxBytes / 2 ** 20) }))
