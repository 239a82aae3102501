import type { Change, ChangeType } from '../../model/change.ts'
import type { OfferType } from '../../model/offer.ts'
import type { ItemType, ShowType } from '../../model/show.ts'

/** Identifies a list of changes. */
export interface ChangeListId {
  readonly country: string
  readonly changeType: ChangeType
  readonly itemType: ItemType
}

/** The name of a list in the tables. */
export function changeListName({ country, changeType, itemType }: ChangeListId): string {
  return `${country}/${changeType}/${itemType}`
}

export function parseChangeListName(list: string): ChangeListId {
  const [country, changeType, itemType] = list.split('/') as [string, ChangeType, ItemType]
  return { country, changeType, itemType }
}

/** The order of changes within a list: by time, show, season, episode, service, option type and addon. */
export interface ChangeSortKey {
  /** 0 where the time is unknown. */
  readonly timestamp: number
  readonly showId: number
  /** 0 where there is none. */
  readonly season: number
  readonly episode: number
  readonly service: string
  readonly offerType: string
  /** Empty where there is none. */
  readonly addon: string
}

/** A change as a list holds it, with the document of its show. A class, since lists hold them by the million. */
export class StoredChange implements ChangeSortKey {
  readonly list: ChangeListId
  readonly doc: number
  readonly timestamp: number
  readonly showId: number
  readonly showType: ShowType
  readonly season: number
  readonly episode: number
  readonly service: string
  readonly offerType: OfferType
  readonly addon: string
  readonly link: string | undefined

  constructor(
    list: ChangeListId,
    doc: number,
    timestamp: number,
    showId: number,
    showType: ShowType,
    season: number,
    episode: number,
    service: string,
    offerType: OfferType,
    addon: string,
    link: string | undefined,
  ) {
    this.list = list
    this.doc = doc
    this.timestamp = timestamp
    this.showId = showId
    this.showType = showType
    this.season = season
    this.episode = episode
    this.service = service
    this.offerType = offerType
    this.addon = addon
    this.link = link
  }

  static fromChange(doc: number, change: Change): StoredChange {
    const { timestamp = 0, showId, showType, season = 0, episode = 0, service, offerType, addon = '', link } = change
    const id = Number(showId)
    return new StoredChange(change, doc, timestamp, id, showType, season, episode, service, offerType, addon, link)
  }

  /** The change as the model defines it. */
  get change(): Change {
    const { changeType, itemType, country } = this.list
    return {
      changeType,
      itemType,
      showId: String(this.showId),
      showType: this.showType,
      country,
      ...(this.season > 0 && { season: this.season }),
      ...(this.episode > 0 && { episode: this.episode }),
      service: this.service,
      offerType: this.offerType,
      ...(this.addon !== '' && { addon: this.addon }),
      ...(this.timestamp > 0 && { timestamp: this.timestamp }),
      ...(this.link !== undefined && { link: this.link }),
    }
  }
}

export function compareChanges(a: ChangeSortKey, b: ChangeSortKey): number {
  return (
    a.timestamp - b.timestamp ||
    a.showId - b.showId ||
    a.season - b.season ||
    a.episode - b.episode ||
    compareText(a.service, b.service) ||
    compareText(a.offerType, b.offerType) ||
    compareText(a.addon, b.addon)
  )
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function changeSortKey(change: Change): ChangeSortKey {
  return {
    timestamp: change.timestamp ?? 0,
    showId: Number(change.showId),
    season: change.season ?? 0,
    episode: change.episode ?? 0,
    service: change.service,
    offerType: change.offerType,
    addon: change.addon ?? '',
  }
}

/** A key before all changes of an instant. */
export function instantSortKey(timestamp: number): ChangeSortKey {
  return { timestamp, showId: -1, season: 0, episode: 0, service: '', offerType: '', addon: '' }
}
