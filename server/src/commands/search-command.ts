import type { Command } from 'commander'
import type { Show } from 'marquee-client'
import { offersIn } from 'marquee-client'
import { askService, type ServiceFlags, withServiceOptions } from './ask-service.ts'
import { offersInShort } from './offer-text.ts'
import { CommandError, printJson, printLines, printTable } from './output.ts'
import { styled } from './terminal-text.ts'

interface SearchFlags extends ServiceFlags {
  readonly country: string
  readonly type?: string
  readonly json?: boolean
}

/** Adds `marquee search`. */
export function addSearchCommand(program: Command): void {
  const command = program
    .command('search')
    .description('search a running service by title')
    .argument('<title...>', 'the title, or a part of it')
    .requiredOption('--country <code>', 'the country in which it is to be watched, such as us')
    .option('--type <type>', 'only movie or only series')
    .option('--json', 'print the shows as a JSON array')
  withServiceOptions(command).action(async (words: string[], flags: SearchFlags) => {
    const { country, type } = flags
    if (type !== undefined && type !== 'movie' && type !== 'series') {
      throw new CommandError(`--type is "${type}"; it must be movie or series`)
    }
    const title = words.join(' ')
    const shows = await askService(flags, (client) => client.shows.search({ title, country, showType: type }))
    if (flags.json === true) printJson(shows)
    else if (shows.length === 0) printLines(`Nothing is called ${JSON.stringify(title)}.`)
    else printShows(shows, country)
  })
}

function printShows(shows: readonly Show[], country: string): void {
  printTable(
    ['title', 'year', 'type', 'rating', 'id', `in ${country.toLowerCase()}`],
    shows.map((show) => [
      { styled: styled(show.title, 'bold') },
      yearOf(show),
      show.showType,
      show.rating === 0 ? '' : String(show.rating),
      show.imdbId || show.tmdbId || show.id,
      { styled: offersInShort(offersIn(show, country)) || styled('nowhere', 'dim') },
    ]),
  )
}

/** The year of a movie, or the years of a series. */
export function yearOf(show: Show): string {
  if (show.showType === 'movie') return String(show.releaseYear ?? '')
  const { firstAirYear, lastAirYear } = show
  if (firstAirYear === undefined) return ''
  return lastAirYear === undefined || lastAirYear === firstAirYear
    ? `${firstAirYear}`
    : `${firstAirYear}–${lastAirYear}`
}
