import { QUALITIES } from '../../model/offer.ts'
/** An option as a native feed states it. */
export type OptionRecord = Readonly<Record<string, unknown>>

/** OptionsByCountry by country, as a native feed states them. */
export type OptionsByCountry = Record<string, OptionRecord[]>

/** OptionsByCountry to be added to. What a source calls a country may be any text, so nothing is inherited. */
export function emptyOptions(): OptionsByCountry {
  return Object.create(null) as OptionsByCountry
}

/** Adds an option in some countries. */
export function addOption(options: OptionsByCountry, countries: Iterable<string>, option: OptionRecord): void {
  for (const country of countries) {
    const list = options[country]
    if (list === undefined) options[country] = [option]
    else list.push(option)
  }
}

/**
 * The options of a series or a season of which a source states only those of its parts: one for each way in which some
 * part can be watched, with all their languages and the best quality, from the first start to the last end. Prices are
 * those of the parts, and stay there.
 */
export function rollUpOptions(parts: Iterable<OptionsByCountry>, link: string | undefined): OptionsByCountry {
  const byWay = new Map<string, { country: string; options: OptionRecord[] }>()
  for (const byCountry of parts) {
    for (const [country, options] of Object.entries(byCountry)) {
      for (const option of options) {
        const way = JSON.stringify([country, option.service, option.type, option.addon])
        const known = byWay.get(way)
        if (known === undefined) byWay.set(way, { country, options: [option] })
        else known.options.push(option)
      }
    }
  }
  const rolled = emptyOptions()
  for (const { country, options } of byWay.values()) {
    addOption(rolled, [country], mergeOptions(options, link))
  }
  return rolled
}

function mergeOptions(options: readonly OptionRecord[], link: string | undefined): OptionRecord {
  const [first] = options as [OptionRecord]
  const times = (name: 'startsOn' | 'expiresOn') => options.map((option) => option[name])
  const quality = QUALITIES.findLast((one) => options.some((option) => option.quality === one))
  return {
    service: first.service,
    type: first.type,
    addon: first.addon,
    link: link ?? first.link,
    quality,
    audios: distinctTracks(options, 'audios'),
    subtitles: distinctTracks(options, 'subtitles'),
    startsOn: outermostTime(times('startsOn'), Math.min),
    expiresOn: outermostTime(times('expiresOn'), Math.max),
  }
}

/** The outermost of some times, or undefined where one of them has no bound. */
function outermostTime(times: readonly unknown[], outermost: (...times: number[]) => number): number | undefined {
  return times.every((time) => typeof time === 'number') ? outermost(...(times as number[])) : undefined
}

function distinctTracks(options: readonly OptionRecord[], name: 'audios' | 'subtitles'): unknown[] {
  const all = new Map<string, unknown>()
  for (const option of options) {
    for (const track of (option[name] as unknown[] | undefined) ?? []) all.set(JSON.stringify(track), track)
  }
  return [...all.values()]
}
