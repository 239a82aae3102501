import { Random } from '../lib/random.ts'
import type { Marquee } from '../targets/marquee.ts'
import { type ApiRequest, apiRequest, takeFresh } from './api-request.ts'
import { type CountryServices, readCountries } from './countries.ts'

const SIZE = 400
const DAY = 86_400
const DEEP_PAGES = [2, 4]

/** Changes of all types and item types, with and without services, time ranges and later pages. */
export async function changePages(marquee: Marquee, now: number): Promise<ApiRequest[]> {
  const random = new Random(41)
  const countries = await readCountries(marquee)
  const requests = new Map<string, ApiRequest>()
  for (let tries = 0; requests.size < SIZE && tries < 10 * SIZE; tries++) {
    const query = randomChanges(random, random.pickPopular(countries))
    if (random.chance(0.4)) Object.assign(query, timeRange(random, query.change_type!, now))
    if (random.chance(0.3)) query.order_direction = 'desc'
    const first = apiRequest('changes', '/changes', query)
    requests.set(JSON.stringify(query), first)
    if (random.chance(0.15))
      for (const page of DEEP_PAGES) requests.set(JSON.stringify([query, page]), { ...first, page })
  }
  return [...requests.values()].slice(0, SIZE)
}

/** Windows of changes that were never sent before: each call gives others. They start at any second. */
export async function freshChanges(marquee: Marquee, now: number): Promise<() => ApiRequest[]> {
  const random = new Random(42)
  const countries = await readCountries(marquee)
  const today = now - (now % DAY)
  return takeFresh(() => {
    const query = randomChanges(random, random.pickPopular(countries))
    const isFuture = query.change_type === 'expiring' || query.change_type === 'upcoming'
    query.from = String(isFuture ? today + DAY + random.below(14 * DAY) : today - random.below(30 * DAY))
    if (random.chance(0.3)) query.order_direction = 'desc'
    return apiRequest('changes', '/changes', query)
  })
}

function randomChanges(random: Random, country: CountryServices): Record<string, string> {
  const type = random.pick(['new', 'new', 'updated', 'removed', 'expiring', 'expiring', 'upcoming'])
  const item = random.pick(['show', 'show', 'season', 'episode'])
  const query: Record<string, string> = { country: country.code, change_type: type, item_type: item }
  if (random.chance(0.5)) {
    const services = Array.from({ length: 1 + random.below(3) }, () => random.pickPopular(country.services).id)
    query.catalogs = [...new Set(services)].join(',')
  }
  if (item === 'show' && random.chance(0.3)) query.show_type = random.pick(['movie', 'series'])
  return query
}

function timeRange(random: Random, type: string, now: number): Record<string, string> {
  const today = now - (now % DAY)
  const days = 1 + random.below(30)
  return type === 'expiring' || type === 'upcoming'
    ? { to: String(today + days * DAY) }
    : { from: String(today - days * DAY) }
}
