/**
 * Reads a source through a connector of the built program, to the end and against an empty catalog, and prints what came
 * and how much memory the process took at most: `node draining-child.mjs FORMAT PATH OPTIONS DATA`.
 */

import { openSource } from '../../dist/connectors/framework/open-source.js'
import { LocalLedger } from '../../dist/ledger/local-ledger.js'

// What the system holds to be a process's most (maxRSS) begins with what its parent held when it started this one.
let most = 0
const measure = () => {
  most = Math.max(most, process.memoryUsage.rss())
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
process.stdout.write(JSON.stringify({ ...counts, megabytes: Math.round(most / 2 ** 20) }))
