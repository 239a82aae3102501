import type { ChangeType } from '../../model/change.ts'
import type { OutputLanguage } from '../../model/language.ts'
import type { OfferType } from '../../model/offer.ts'
import type { ItemType, ShowType } from '../../model/show.ts'
import type { FeedName } from './feed-parameters.ts'

/** The parts of a change, as the API prints it with its show, that a feed needs. */
interface PrintedChange {
  readonly changeType: ChangeType
  readonly itemType: ItemType
  readonly showId: string
  readonly season?: number
  readonly service: { readonly id: string; readonly name: string }
  readonly streamingOptionType: OfferType
  readonly addon?: { readonly id: string; readonly name: string }
  readonly timestamp: number
  readonly link?: string
  readonly show: {
    readonly id: string
    readonly title: string
    readonly originalTitle: string
    readonly overview: string
    readonly showType: ShowType
    readonly releaseYear?: number
    readonly firstAirYear?: number
    readonly genres: readonly { readonly id: string; readonly name: string }[]
    readonly imageSet?: { readonly verticalPoster?: { readonly w240?: string } }
  }
}

/** An entry of a feed: what happens to an item on a service at an instant, by whichever options. */
export interface FeedEntry extends Omit<PrintedChange, 'streamingOptionType' | 'addon' | 'link'> {
  /** Unique among all entries, and the same in every feed. */
  readonly id: string
  /** `New on Netflix: Heat (1995)`. */
  readonly title: string
  /** The options: `subscription, buy`, or names of addons. */
  readonly options: readonly string[]
}

type Phrases = Readonly<Record<ChangeType, (service: string) => string>> & { season(number: number): string }

const ENGLISH: Phrases = {
  new: (service) => `New on ${service}`,
  updated: (service) => `Changed on ${service}`,
  removed: (service) => `No longer on ${service}`,
  expiring: (service) => `Leaves ${service}`,
  upcoming: (service) => `Coming to ${service}`,
  season: (number) => `season ${number}`,
}

/** The languages of the pages; others get English around their titles. */
const PHRASES: Readonly<Partial<Record<OutputLanguage, Phrases>>> = {
  en: ENGLISH,
  es: {
    new: (service) => `Nuevo en ${service}`,
    updated: (service) => `Cambia en ${service}`,
    removed: (service) => `Ya no está en ${service}`,
    expiring: (service) => `Se va de ${service}`,
    upcoming: (service) => `Próximamente en ${service}`,
    season: (number) => `temporada ${number}`,
  },
  fr: {
    new: (service) => `Nouveau sur ${service}`,
    updated: (service) => `Modifié sur ${service}`,
    removed: (service) => `N’est plus sur ${service}`,
    expiring: (service) => `Quitte ${service}`,
    upcoming: (service) => `Bientôt sur ${service}`,
    season: (number) => `saison ${number}`,
  },
  tr: {
    new: (service) => `${service}: yeni`,
    updated: (service) => `${service}: değişti`,
    removed: (service) => `${service}: artık yok`,
    expiring: (service) => `${service}: ayrılıyor`,
    upcoming: (service) => `${service}: yakında`,
    season: (number) => `${number}. sezon`,
  },
}

const TITLES: Readonly<Partial<Record<OutputLanguage, Readonly<Record<string, string>>>>> = {
  en: { changes: 'Changes', new: 'New', leaving: 'Leaving soon' },
  es: { changes: 'Cambios', new: 'Novedades', leaving: 'Se van pronto' },
  fr: { changes: 'Changements', new: 'Nouveautés', leaving: 'Bientôt retirés' },
  tr: { changes: 'Değişiklikler', new: 'Yeni', leaving: 'Yakında ayrılacaklar' },
}

/** The title of a feed: `Marquee: Leaving soon (US)`. */
export function feedTitle(name: FeedName, country: string, language: OutputLanguage): string {
  const [kind = ''] = name.split('.')
  return `Marquee: ${(TITLES[language] ?? TITLES.en)?.[kind] ?? kind} (${country.toUpperCase()})`
}

/** The entries of changes, in their order. Options of one item on one service at one instant make one entry. */
export function toFeedEntries(changes: readonly Buffer[], country: string, language: OutputLanguage): FeedEntry[] {
  const phrases = PHRASES[language] ?? ENGLISH
  const entries = new Map<string, FeedEntry & { readonly options: string[] }>()
  for (const json of changes) {
    const { streamingOptionType, addon, ...change } = JSON.parse(json.toString()) as PrintedChange
    const { changeType, showId, season, service, timestamp, show } = change
    const id = [country, changeType, showId, season ?? 0, service.id, timestamp].join('/')
    const option = addon?.name ?? streamingOptionType
    const known = entries.get(id)
    if (known !== undefined) {
      if (!known.options.includes(option)) known.options.push(option)
      continue
    }
    const year = show.releaseYear ?? show.firstAirYear
    const item = season === undefined ? '' : `, ${phrases.season(season)}`
    const title = `${phrases[changeType](service.name)}: ${show.title}${item}${year === undefined ? '' : ` (${year})`}`
    entries.set(id, { ...change, id, title, options: [option] })
  }
  return [...entries.values()]
}
