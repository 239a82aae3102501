import { QUALITIES } from '../model/offer.ts'
import { addOption, noOptions, type Option, type Options } from './options.ts'

/**
 * The options of a series or a season of which a source states only those of its parts: one for each way in which some
 * part can be watched, with all their languages and the best quality, from the first start to the last end. Prices are
 * those of the parts, and stay there.
 */
export function rollUp(parts: Iterable<Options>, link: string | undefined): Options {
  const byWay = new Map<string, { country: string; options: Option[] }>()
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
  const rolled = noOptions()
  for (const { country, options } of byWay.values()) {
    addOption(rolled, [country], joined(options, link))
  }
  return rolled
}

function joined(options: readonly Option[], link: string | undefined): Option {
  const [first] = options as [Option]
  const times = (name: 'startsOn' | 'expiresOn') => options.map((option) => option[name])
  const quality = QUALITIES.findLast((one) => options.some((option) => option.quality === one))
  return {
    service: first.service,
    type: first.type,
    addon: first.addon,
    link: link ?? first.link,
    quality,
    audios: distinct(options, 'audios'),
    subtitles: distinct(options, 'subtitles'),
    startsOn: boundOf(times('startsOn'), Math.min),
    expiresOn: boundOf(times('expiresOn'), Math.max),
  }
}

/** The outermost of some times, or undefined where one of them has no bound. */
function boundOf(times: readonly unknown[], outermost: (...times: number[]) => number): number | undefined {
  return times.every((time) => typeof time === 'number') ? outermost(...(times as number[])) : undefined
}

function distinct(options: readonly Option[], name: 'audios' | 'subtitles'): unknown[] {
  const all = new Map<string, unknown>()
  for (const option of options) {
    for (const track of (option[name] as unknown[] | undefined) ?? []) all.set(JSON.stringify(track), track)
  }
  return [...all.values()]
}
