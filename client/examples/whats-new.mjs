/*
 * What's new on my services this week?
 *
 *   MARQUEE_KEY=… node whats-new.mjs us netflix prime.subscription
 */
import { Marquee } from 'marquee-client'

const [country = 'us', ...catalogs] = process.argv.slice(2)
const marquee = new Marquee({ apiKey: process.env.MARQUEE_KEY, baseUrl: process.env.MARQUEE_URL })

const aWeekAgo = new Date(Date.now() - 7 * 24 * 3600 * 1000)
const changes = marquee.changes.list({
  country,
  catalogs,
  changeType: 'new',
  itemType: 'show',
  from: aWeekAgo,
  orderDirection: 'desc',
})

// A show that came to a service in several ways is named once.
const seen = new Set()
for await (const { show, service, timestamp, link } of changes) {
  const name = `${show.id} ${service.id}`
  if (seen.has(name)) continue
  seen.add(name)
  const day = new Date(timestamp * 1000).toISOString().slice(0, 10)
  console.log(`${day}  ${show.title} on ${service.name}: ${link}`)
}
