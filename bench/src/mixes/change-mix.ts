import { type Ask, ask } from '../ask.ts'
import type { Marquee } from '../marquee.ts'
import { Random } from '../support/random.ts'
import { readPlaces } from './places.ts'

const SIZE = 400
const DAY = 86_400
const DEEP_PAGES = [2, 4]

/** Changes of all types and items, of some services or all, from some day to another, some of them pages on. */
export async function changeMix(marquee: Marquee, now: number): Promise<Ask[]> {
  const random = new Random(41)
  const places = await readPlaces(marquee)
  const asks = new Map<string, Ask>()
  for (let tries = 0; asks.size < SIZE && tries < 10 * SIZE; tries++) {
    const place = random.pickPopular(places)
    const type = random.pick(['new', 'new', 'updated', 'removed', 'expiring', 'expiring', 'upcoming'])
    const item = random.pick(['show', 'show', 'season', 'episode'])
    const query: Record<string, string> = { country: place.country, change_type: type, item_type: item }
    if (random.chance(0.5)) {
      const services = Array.from({ length: 1 + random.below(3) }, () => random.pickPopular(place.services).id)
      query.catalogs = [...new Set(services)].join(',')
    }
    if (item === 'show' && random.chance(0.3)) query.show_type = random.pick(['movie', 'series'])
    if (random.chance(0.4)) Object.assign(query, window(random, type, now))
    if (random.chance(0.3)) query.order_direction = 'desc'
    const first = ask('changes', '/changes', query)
    asks.set(JSON.stringify(query), first)
    if (random.chance(0.15)) for (const page of DEEP_PAGES) asks.set(JSON.stringify([query, page]), { ...first, page })
  }
  return [...asks.values()].slice(0, SIZE)
}

function window(random: Random, type: string, now: number): Record<string, string> {
  const today = now - (now % DAY)
  const days = 1 + random.below(30)
  return type === 'expiring' || type === 'upcoming'
    ? { to: String(today + days * DAY) }
    : { from: String(today - days * DAY) }
}
