import { type Command, Option } from 'commander'
import {
  type Addon,
  ConnectionError,
  isLeavingSoon,
  Marquee,
  MarqueeError,
  offersIn,
  type PlaceHistory,
  ServiceError,
  type Show,
  type ShowHistory,
  type StreamingOption,
} from 'marquee-client'
import { readSettings, type Settings } from '../../config.ts'
import { UserError } from '../../lib/errors.ts'
import { stripControls } from '../../lib/text/printable.ts'
import type { JsonFlag } from '../terminal/flags.ts'
import { printJson, printLines, printTable, type Style, styled } from '../terminal/output.ts'

interface SearchFlags extends ServiceFlags {
  readonly country: string
  readonly type?: string
}

interface HistoryFlags extends ServiceFlags {
  readonly country: string
  readonly episodes?: boolean
}

interface WhereFlags extends ServiceFlags {
  readonly country?: string
  readonly countries?: string
}

const ID_FORMS = 'its id, its IMDb id (tt0068646) or its TMDB id (movie/238)'

/** Adds `marquee search`. */
export function addSearchCommand(program: Command): void {
  const command = program
    .command('search')
    .description('search a running service by title')
    .argument('<title...>', 'the title, or a part of it')
    .requiredOption('--country <code>', 'the country whose offers to show, such as us')
    .option('--type <type>', 'only movie or only series')
    .option('--json', 'print the shows as a JSON array')
  addServiceOptions(command).action(async (words: string[], flags: SearchFlags) => {
    const { country, type } = flags
    if (type !== undefined && type !== 'movie' && type !== 'series') {
      throw new UserError(`--type is "${type}"; it must be movie or series`)
    }
    const title = words.join(' ')
    const shows = await callService(flags, (client) => client.shows.search({ title, country, showType: type }))
    if (flags.json === true) printJson(shows)
    else if (shows.length === 0) printLines(`No show matches ${JSON.stringify(title)}.`)
    else printShows(shows, country)
  })
}

/** Adds `marquee where`. */
export function addWhereCommand(program: Command): void {
  const command = program
    .command('where')
    .description('ask a running service where a show can be watched')
    .argument('<id>', ID_FORMS)
    .option('--country <code>', 'only this country (default: all)')
    .option('--countries <codes>', 'only these countries, up to 10, such as us,gb,de')
    .option('--json', 'print the show as one JSON object')
  addServiceOptions(command).action(async (id: string, flags: WhereFlags) => {
    if (flags.country !== undefined && flags.countries !== undefined) {
      throw new UserError('Give --country or --countries, not both')
    }
    const country = flags.countries ?? flags.country
    const show = await callService(flags, (client) => client.shows.get(id, { country, seriesGranularity: 'show' }))
    if (flags.json === true) printJson(show)
    else printOffers(show, country)
  })
}

/** Adds `marquee similar`. */
export function addSimilarCommand(program: Command): void {
  const command = program
    .command('similar')
    .description('ask a running service which shows resemble one')
    .argument('<id>', ID_FORMS)
    .requiredOption('--country <code>', 'the country in which they can be watched, such as us')
    .option('--json', 'print the shows as a JSON array')
  addServiceOptions(command).action(async (id: string, flags: SearchFlags) => {
    const { country } = flags
    const shows = await callService(flags, (client) => client.shows.similar(id, { country }))
    if (flags.json === true) printJson(shows)
    else if (shows.length === 0) printLines(`No show in ${country.toLowerCase()} resembles it.`)
    else printShows(shows, country)
  })
}

/** Adds `marquee history`. */
export function addHistoryCommand(program: Command): void {
  const command = program
    .command('history')
    .description('ask a running service when a show could be watched, and at which prices')
    .argument('<id>', ID_FORMS)
    .requiredOption('--country <code>', 'the country, such as us')
    .option('--episodes', 'of its seasons and episodes, too')
    .option('--json', 'print the history as one JSON object')
  addServiceOptions(command).action(async (id: string, flags: HistoryFlags) => {
    const { country, episodes } = flags
    const seriesGranularity = episodes === true ? 'episode' : 'show'
    const history = await callService(flags, (client) => client.shows.history(id, { country, seriesGranularity }))
    if (flags.json === true) printJson(history)
    else if (history.places.length === 0) printLines(`It is not known to have been in ${history.country}.`)
    else printHistory(history, episodes === true)
  })
}

function printHistory({ places }: ShowHistory, hasItems: boolean): void {
  printTable(
    [...(hasItems ? ['item'] : []), 'service', 'type', 'from', 'until', 'price'],
    places.flatMap((place) =>
      place.spans.flatMap((span) => {
        // A row for each price; a span without prices has one.
        const rows = span.prices.length === 0 ? [{ ...span, price: undefined, quality: undefined }] : span.prices
        return rows.map(({ from, to, price, quality }) => [
          ...(hasItems ? [formatItem(place)] : []),
          place.service.name,
          { styled: formatOfferType({ type: place.streamingOptionType, addon: place.addon }) },
          formatDay(from),
          to === undefined ? '' : formatDay(to),
          [price?.formatted ?? '', quality ?? ''].filter((text) => text !== '').join(' '),
        ])
      }),
    ),
  )
}

function formatItem({ season, episode }: PlaceHistory): string {
  if (season === undefined) return 'show'
  return episode === undefined ? `season ${season}` : `season ${season}, episode ${episode}`
}

function formatDay(instant: number): string {
  return new Date(instant * 1000).toISOString().slice(0, 10)
}

function printShows(shows: readonly Show[], country: string): void {
  printTable(
    ['title', 'year', 'type', 'rating', 'id', `in ${country.toLowerCase()}`],
    shows.map((show) => [
      { styled: styled(show.title, 'bold') },
      formatYears(show),
      show.showType,
      show.rating === 0 ? '' : String(show.rating),
      show.imdbId || show.tmdbId || show.id,
      { styled: summarizeOffers(offersIn(show, country)) || styled('nowhere', 'dim') },
    ]),
  )
}

function printOffers(show: Show, country: string | undefined): void {
  const years = formatYears(show)
  const title = styled(show.title, 'bold')
  process.stdout.write(`${title}${years === '' ? '' : ` (${years})`}, ${stripControls(show.showType)}\n\n`)
  const countries = Object.keys(show.streamingOptions).sort()
  if (countries.length === 0) {
    printLines(`It cannot be watched ${country === undefined ? 'anywhere' : `in ${country.split(',').join(' or ')}`}.`)
    return
  }
  printTable(
    ['country', 'service', 'type', 'price', 'quality', 'until', 'link'],
    countries.flatMap((code) =>
      offersIn(show, code).map((offer) => [
        code,
        offer.service.name,
        { styled: formatOfferType(offer) },
        offer.price?.formatted ?? '',
        offer.quality ?? '',
        { styled: formatOfferEnd(offer) },
        { styled: styled(offer.link, 'dim') },
      ]),
    ),
  )
}

/** The year of a movie, or the first and last year of a series. */
function formatYears(show: Show): string {
  if (show.showType === 'movie') return String(show.releaseYear ?? '')
  const { firstAirYear, lastAirYear } = show
  if (firstAirYear === undefined) return ''
  return lastAirYear === undefined || lastAirYear === firstAirYear
    ? `${firstAirYear}`
    : `${firstAirYear}–${lastAirYear}`
}

const TYPE_STYLES: Record<StreamingOption['type'], Style> = {
  free: 'green',
  subscription: 'cyan',
  rent: 'yellow',
  buy: 'yellow',
  addon: 'magenta',
}

/** The type of an offer; of an addon, its name too. */
function formatOfferType({ type, addon }: Pick<StreamingOption, 'type'> & { addon?: Addon | undefined }): string {
  return styled(addon === undefined ? type : `addon ${addon.name}`, TYPE_STYLES[type])
}

/** The day on which an offer ends. Empty if no end is known. */
function formatOfferEnd(offer: StreamingOption): string {
  const soon = isLeavingSoon(offer)
  if (offer.expiresOn === undefined) return soon ? styled('soon', 'red') : ''
  const day = formatDay(offer.expiresOn)
  return soon ? styled(day, 'red') : day
}

/** The offers of a country in one line: each service once, with its types and the lowest price of each. */
function summarizeOffers(offers: readonly StreamingOption[]): string {
  const services = new Map<string, Map<string, string>>()
  for (const offer of offers) {
    const prices = services.get(offer.service.name) ?? new Map<string, string>()
    services.set(offer.service.name, prices)
    const type = formatOfferType(offer)
    const lowest = prices.get(type)
    const price = offer.price?.formatted ?? ''
    if (lowest === undefined || Number.parseFloat(price) < Number.parseFloat(lowest)) prices.set(type, price)
  }
  return [...services]
    .map(([name, prices]) => {
      const types = [...prices].map(([type, price]) => (price === '' ? type : `${type} ${stripControls(price)}`))
      return `${stripControls(name)} (${types.join(', ')})`
    })
    .join(', ')
}

/** Calls the service through the client library. Failures become sentences that say what to do. */
export async function callService<T>(flags: ServiceFlags, call: (client: Marquee) => Promise<T>): Promise<T> {
  const { address, key, keyPrefix, marketplace } = resolveService(flags)
  try {
    const baseUrl = `${address}/v4`
    // A person is waiting, so fail early: one retry only.
    return await call(new Marquee({ apiKey: key, baseUrl, keyPrefix, marketplace, retries: 1, timeout: 10_000 }))
  } catch (error) {
    if (error instanceof MarqueeError) throw new UserError(describeServiceError(error, address))
    // The client throws a TypeError for an address or id that can never work.
    if (error instanceof TypeError) throw new UserError(error.message)
    throw error
  }
}

function describeServiceError(error: MarqueeError, address: string): string {
  if (error instanceof ConnectionError) {
    const why = error.timedOut ? 'does not answer in time' : 'cannot be reached'
    return `The service at ${address} ${why}; start it with \`marquee serve\`, or name another with --url`
  }
  if (!(error instanceof ServiceError)) return `What answers at ${address} is not a Marquee service (${error.message})`
  const isAboutKey = error.status === 401 || error.status === 403
  return isAboutKey
    ? `${error.message} The key comes from --key or MARQUEE_KEY; \`marquee keys list\` shows all.`
    : error.message
}

/** The flags of a command that calls a running service. */
export interface ServiceFlags extends JsonFlag {
  readonly url?: string
  readonly key?: string
}

/** Which service to call, and with which key. */
export interface ServiceAccess extends Pick<Settings, 'keyPrefix' | 'marketplace'> {
  /** Without the version and without a slash at its end. */
  readonly address: string
  readonly key: string
}

/** Adds the flags to a command. */
export function addServiceOptions(command: Command): Command {
  return command
    .addOption(new Option('--url <address>', 'address of the service (default: from HOST and PORT)').env('MARQUEE_URL'))
    .addOption(new Option('--key <key>', 'the API key to use').env('MARQUEE_KEY'))
}

/** Resolves the flags, or throws what is wrong with them. */
export function resolveService(flags: ServiceFlags): ServiceAccess {
  const settings = readSettings(process.env)
  const address = (flags.url || localServiceUrl(settings)).replace(/\/+$/, '').replace(/\/v4$/, '')
  if (!URL.canParse(address) || !/^https?:/i.test(address)) {
    throw new UserError(`--url (or MARQUEE_URL) is "${flags.url}"; it must be an address such as http://127.0.0.1:8080`)
  }
  if (!flags.key) {
    throw new UserError('An API key is needed: give --key or set MARQUEE_KEY; `marquee keys create` makes one')
  }
  if (!/^[\x21-\x7e]+$/.test(flags.key)) {
    throw new UserError('--key (or MARQUEE_KEY) has characters that no key has; `marquee keys create` makes one')
  }
  const { keyPrefix, marketplace } = settings
  return { address, key: flags.key, keyPrefix, marketplace }
}

/** The address of a service on this machine with the same HOST and PORT. */
function localServiceUrl({ host, port }: Settings): string {
  const loopback: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
  const name = loopback[host] ?? host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
