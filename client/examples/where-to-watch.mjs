/*
 * Where can I watch this?
 *
 *   MARQUEE_KEY=… node where-to-watch.mjs us "breaking bad"
 */
import { cheapestOffer, episodeLink, Marquee, offersByType } from 'marquee-client'

const [country = 'us', title = 'the godfather', ...subscriptions] = process.argv.slice(2)
const marquee = new Marquee({ apiKey: process.env.MARQUEE_KEY, baseUrl: process.env.MARQUEE_URL })

const [show] = await marquee.shows.search({ title, country, seriesGranularity: 'episode' })
if (show === undefined) {
  console.log(`Nothing is called "${title}".`)
} else {
  console.log(`${show.title} (${show.releaseYear ?? show.firstAirYear})`)
  for (const [type, offers] of Object.entries(offersByType(show, country))) {
    const names = new Set(offers.map(({ service }) => service.name))
    if (names.size > 0) console.log(`  ${type}: ${[...names].join(', ')}`)
  }
  const cheapest = cheapestOffer(show, country, { subscriptions })
  if (cheapest !== undefined)
    console.log(`  cheapest: ${cheapest.price?.formatted ?? cheapest.type} at ${cheapest.link}`)
  const first = episodeLink(show, { country, season: 1, episode: 1 })
  if (first !== undefined) console.log(`  first episode: ${first}`)
}
