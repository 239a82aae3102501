/*
 * What should I watch before it leaves?
 *
 *   MARQUEE_KEY=… node leaving-soon.mjs us netflix prime.subscription
 */
import { Marquee } from 'marquee-client'

const [country = 'us', ...catalogs] = process.argv.slice(2)
const marquee = new Marquee({ apiKey: process.env.MARQUEE_KEY, baseUrl: process.env.MARQUEE_URL })

const changes = marquee.changes.list(
  { country, catalogs, changeType: 'expiring', itemType: 'show', includeUnknownDates: true },
  { maxItems: 50 },
)

for await (const { show, service, timestamp } of changes) {
  // Some services say that something leaves shortly, but not when.
  const when = timestamp === undefined ? 'any day now' : new Date(timestamp * 1000).toISOString().slice(0, 10)
  console.log(`${when}  ${show.title} leaves ${service.name}`)
}
