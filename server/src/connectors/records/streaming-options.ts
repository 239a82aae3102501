import { QUALITIES } from '../../model/offer.ts'

/** A streaming option of a native record. Its values are unchecked: the importer validates them. */
export type OptionRecord = Readonly<Record<string, unknown>>

/** The `streamingOptions` of a native record. */
export type OptionsByCountry = Record<string, OptionRecord[]>

/** An empty map without a prototype, since a source may name a country `constructor`. */
export function emptyOptions(): OptionsByCountry {
  return Object.create(null) as OptionsByCountry
}

/** Adds an option to each of some countries. */
export function addOption(options: OptionsByCountry, countries: Iterable<string>, option: OptionRecord): void {
  for (const country of countries) {
    const list = options[country]
    if (list === undefined) options[country] = [option]
    else list.push(option)
  }
}

/** The options of a series or a season: its own, or those rolled up from its parts if it has none. */
export function resolveOptions(
  own: OptionsByCountry | undefined,
  parts: Iterable<OptionsByCountry>,
  link: unknown,
): OptionsByCountry {
  if (own !== undefined && Object.keys(own).length > 0) return own
  return rollUpOptions(parts, typeof link === 'string' ? link : undefined)
}

/**
 * Rolls the options of episodes or seasons up: one option for each country, service, type and addon, with the union of
 * the languages, the best quality, the earliest start and the latest end. Prices are left out, since they are for the
 * parts.
 */
function rollUpOptions(parts: Iterable<OptionsByCountry>, link: string | undefined): OptionsByCountry {
  const groups = new Map<string, { country: string; options: OptionRecord[] }>()
  for (const byCountry of parts) {
    for (const [country, options] of Object.entries(byCountry)) {
      for (const option of options) {
        const key = JSON.stringify([country, option.service, option.type, option.addon])
        const group = groups.get(key)
        if (group === undefined) groups.set(key, { country, options: [option] })
        else group.options.push(option)
      }
    }
  }
  const rolledUp = emptyOptions()
  for (const { country, options } of groups.values()) addOption(rolledUp, [country], mergeOptions(options, link))
  return rolledUp
}

function mergeOptions(options: readonly OptionRecord[], link: string | undefined): OptionRecord {
  const [first] = options as [OptionRecord]
  const times = (name: 'startsOn' | 'expiresOn') => options.map((option) => option[name])
  return {
    service: first.service,
    type: first.type,
    addon: first.addon,
    link: link ?? first.link,
    quality: QUALITIES.findLast((quality) => options.some((option) => option.quality === quality)),
    audios: distinctTracks(options, 'audios'),
    subtitles: distinctTracks(options, 'subtitles'),
    startsOn: outermostTime(times('startsOn'), Math.min),
    expiresOn: outermostTime(times('expiresOn'), Math.max),
  }
}

/** The earliest or latest of some times; undefined if one of them is open. */
function outermostTime(times: readonly unknown[], outermost: (...times: number[]) => number): number | undefined {
  return times.every((time) => typeof time === 'number') ? outermost(...(times as number[])) : undefined
}

function distinctTracks(options: readonly OptionRecord[], name: 'audios' | 'subtitles'): unknown[] {
  const tracks = new Map<string, unknown>()
  for (const option of options) {
    for (const track of (option[name] as unknown[] | undefined) ?? []) tracks.set(JSON.stringify(track), track)
  }
  return [...tracks.values()]
}
