import type { Catalog } from '../catalog/catalog.ts'
import { fold } from '../catalog/index/analyzer.ts'
import { RoaringBitmap32 } from '../catalog/index/doc-set.ts'
import { term } from '../catalog/index/terms.ts'
import { STANDARD_GENRES } from '../model/genre.ts'
import type { Service } from '../model/service.ts'
import { type MendingCommands, quote } from './commands.ts'
import { countNoun, type Example, type Finding, FindingBuilder } from './finding.ts'

/** Words of a service's name that distinguish its tiers, not services. */
const TIER_WORDS = /\b(basic|standard|premium|with ads|ad ?free|kids|free)\b/g

/** Services of one name, or of one name but for the tier, under two ids. */
export function checkServices(catalog: Catalog, commands: MendingCommands): Finding {
  const finding = new FindingBuilder('services_with_two_ids')
  const groups = new Map<string, { id: string; name: string; shows: number }[]>()
  for (const service of Object.values(catalog.reference().services)) {
    const name = serviceName(service)
    const shows = countShows(catalog, service)
    if (shows === 0) continue
    const key = toNameKey(name)
    groups.set(key, [...(groups.get(key) ?? []), { id: service.id, name, shows }])
  }
  for (const services of groups.values()) {
    if (services.length < 2) continue
    // The one with the most shows is most likely the right one.
    const [kept, ...others] = services.sort((a, b) => b.shows - a.shows || (a.id < b.id ? -1 : 1))
    for (const other of others) {
      finding.add(() => ({
        subject: kept?.name ?? '',
        details: [kept, other].map((one) => `${one?.id}: ${countNoun(one?.shows ?? 0, 'show')}`),
        command: mendService(catalog, commands, other.id, kept?.id ?? ''),
      }))
    }
  }
  return finding.build()
}

/** The source of the surplus id states it again under the right one. */
function mendService(catalog: Catalog, commands: MendingCommands, wrongId: string, rightId: string): string {
  const source = findSource(catalog, wrongId)
  if (source === 'tmdb') return commands.syncTmdb('--providers PROVIDERS.json')
  if (source?.startsWith('csv/')) return commands.refresh(source, '--service', quote(rightId))
  return commands.importReplaced(source ?? 'SOURCE', wrongId, rightId)
}

/** A source that has offers of a service. */
function findSource(catalog: Catalog, service: string): string | undefined {
  const [doc] = serviceDocs(catalog, service).toArray()
  if (doc === undefined) return undefined
  const offers = Object.values(catalog.documents.showOffers(doc)).flat()
  return offers.find((offer) => offer.service === service)?.source
}

function serviceName({ id, everywhere, countries }: Service): string {
  return (everywhere ?? Object.values(countries)[0])?.name ?? id
}

function toNameKey(name: string): string {
  const folded = fold(name).replaceAll('+', ' plus ')
  const plain = folded.replace(/[^\p{L}\p{N}]+/gu, ' ')
  return plain.replace(TIER_WORDS, '').replaceAll(' ', '') || plain
}

function countShows(catalog: Catalog, { id }: Service): number {
  return serviceDocs(catalog, id).size
}

/** The shows of a service in all countries. */
function serviceDocs(catalog: Catalog, service: string) {
  const version = catalog.version()
  const countries = Object.keys(catalog.reference().countries)
  return RoaringBitmap32.orMany(
    countries.map((country) => catalog.docsWithTerm(term.service(country, service), version)),
  )
}

const STANDARD_IDS = new Set(STANDARD_GENRES.map(({ id }) => id))

/** Genres that are no standard ones and have a name in one language only: nobody has decided what they are. */
export function checkGenres(catalog: Catalog, commands: MendingCommands): Finding {
  const finding = new FindingBuilder('unmapped_genres')
  const version = catalog.version()
  const unmapped = Object.values(catalog.reference().genres)
    .filter(({ id, names }) => !STANDARD_IDS.has(id) && Object.keys(names).length < 2)
    .map(({ id, names }) => ({ id, name: names.en ?? id, shows: catalog.docsWithTerm(term.genre(id), version).size }))
    .filter(({ shows }) => shows > 0)
    .sort((a, b) => b.shows - a.shows || (a.id < b.id ? -1 : 1))
  for (const { id, name, shows } of unmapped) {
    finding.add((): Example => {
      const record = { kind: 'genre', id, name, names: { es: name, fr: name, tr: name } }
      return {
        subject: name,
        details: [`id ${id}`, countNoun(shows, 'show')],
        command: commands.importRecords('genres', record),
      }
    })
  }
  return finding.build()
}
