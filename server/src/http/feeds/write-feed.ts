import type { ChangeType } from '../../model/change.ts'
import type { OutputLanguage } from '../../model/language.ts'
import type { OfferType } from '../../model/offer.ts'
import type { ItemType, ShowType } from '../../model/show.ts'
import type { FeedName } from './feed-parameters.ts'

/** A feed before it has a format. */
export interface Feed {
  readonly title: string
  readonly language: string
  /** Absolute addresses: of the feed, and of the page that shows the same. */
  readonly self: string
  readonly page: string
  /** The address of the service, which ids are made of. */
  readonly origin: string
  /** When the feed last changed, if it has no entry. */
  readonly updatedAt: number
  readonly entries: readonly FeedEntry[]
  /** The address of the page of a show. */
  showAddress(show: FeedEntry['show']): string
}

/** An Atom feed (RFC 4287). */
export function writeAtom(feed: Feed): string {
  const { title, language, self, page, entries, updatedAt, showAddress } = feed
  const newest = entries.reduce((latest, { timestamp }) => Math.max(latest, timestamp), 0)
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">`,
    `<title>${escapeXml(title)}</title>`,
    `<id>${escapeXml(self)}</id>`,
    `<updated>${isoTime(newest || updatedAt)}</updated>`,
    '<author><name>Marquee</name></author>',
    `<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>`,
  ]
  for (const entry of entries) {
    const { timestamp, changeType, options, show } = entry
    lines.push(
      '<entry>',
      `<title>${escapeXml(entry.title)}</title>`,
      `<id>${escapeXml(entryId(feed, entry))}</id>`,
      `<updated>${isoTime(timestamp)}</updated>`,
      `<published>${isoTime(timestamp)}</published>`,
      `<link rel="alternate" type="text/html" href="${escapeXml(showAddress(show))}"/>`,
      `<category term="${changeType}"/>`,
      ...show.genres.map(({ id, name }) => `<category term="${escapeXml(id)}" label="${escapeXml(name)}"/>`),
      `<summary type="text">${escapeXml(describe(options, show.overview))}</summary>`,
      '</entry>',
    )
  }
  return `${lines.join('\n')}\n</feed>\n`
}

/** A feed by JSON Feed 1.1. */
export function writeJsonFeed(feed: Feed): string {
  const { title, language, self, page, entries, showAddress } = feed
  const items = entries.map((entry) => {
    const { timestamp, changeType, options, show } = entry
    const image = show.imageSet?.verticalPoster?.w240 ?? ''
    return {
      id: entryId(feed, entry),
      url: showAddress(show),
      title: entry.title,
      content_text: describe(options, show.overview),
      ...(/^https?:/.test(image) && { image }),
      date_published: isoTime(timestamp),
      tags: [changeType, ...show.genres.map(({ name }) => name)],
    }
  })
  const head = { version: 'https://jsonfeed.org/version/1.1', title, home_page_url: page, feed_url: self, language }
  return JSON.stringify({ ...head, authors: [{ name: 'Marquee' }], items })
}

/** A calendar (RFC 5545) whose events are instants. They take no time of the day, so they do not count as busy. */
export function writeCalendar(feed: Feed, now: number): string {
  const { title, entries, origin, showAddress } = feed
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Marquee//Marquee//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escapeCalendarText(title)}`,
    `X-WR-CALNAME:${escapeCalendarText(title)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    'X-PUBLISHED-TTL:PT6H',
  ]
  for (const entry of entries) {
    const { id, timestamp, options, show } = entry
    lines.push(
      'BEGIN:VEVENT',
      `UID:${id}@${authority(origin)}`,
      `DTSTAMP:${calendarTime(now)}`,
      `DTSTART:${calendarTime(timestamp)}`,
      `SUMMARY:${escapeCalendarText(entry.title)}`,
      `DESCRIPTION:${escapeCalendarText(describe(options, show.overview))}`,
      `URL:${showAddress(show)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    )
  }
  lines.push('END:VCALENDAR')
  return `${lines.map(foldLine).join('\r\n')}\r\n`
}

function describe(options: readonly string[], overview: string): string {
  return overview === '' ? options.join(', ') : `${options.join(', ')}. ${overview}`
}

/** A tag URI (RFC 4151): it stays the same whatever the filter of the feed. */
function entryId({ origin }: Feed, { id }: FeedEntry): string {
  return `tag:${authority(origin)},2026:${encodeURI(id)}`
}

/** The host of an address; a fixed name where the address is unknown. */
function authority(origin: string): string {
  return origin === '' ? 'marquee.invalid' : new URL(origin).hostname.replace(/^\[.*\]$/, 'marquee.invalid')
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

/** `20261120T093000Z`. */
function calendarTime(seconds: number): string {
  return isoTime(seconds).replaceAll(/[-:]/g, '')
}

/** Characters that XML 1.0 cannot hold are left out. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function escapeCalendarText(text: string): string {
  return (
    text
      .replaceAll(/\r\n?|\n/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a calendar cannot hold them.
      .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ')
      .replaceAll(/[\\;,]/g, '\\$&')
      .replaceAll('\n', '\\n')
  )
}

/** Lines have at most 75 bytes; longer ones go on after a line break and a space, between two characters. */
function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= 75) return line
  let folded = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > 75) {
      folded += '\r\n '
      bytes = 1
    }
    folded += character
    bytes += size
  }
  return folded
}

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
