import type { Command } from 'commander'
import type { Show } from 'marquee-client'
import { offersIn } from 'marquee-client'
import { askService, type ServiceFlags, withServiceOptions } from './ask-service.ts'
import { offerEnd, offerType } from './offer-text.ts'
import { printJson, printTable } from './output.ts'
import { yearOf } from './search-command.ts'
import { harmless, styled } from './terminal-text.ts'

interface WhereFlags extends ServiceFlags {
  readonly country?: string
  readonly json?: boolean
}

/** Adds `marquee where`. */
export function addWhereCommand(program: Command): void {
  const command = program
    .command('where')
    .description('ask a running service where a show can be watched')
    .argument('<id>', 'its id, its IMDb id (tt0068646) or its TMDB id (movie/238)')
    .option('--country <code>', 'only this country; by default all')
    .option('--json', 'print the show as one JSON object')
  withServiceOptions(command).action(async (id: string, flags: WhereFlags) => {
    const { country } = flags
    const show = await askService(flags, (client) => client.shows.get(id, { country, seriesGranularity: 'show' }))
    if (flags.json === true) printJson(show)
    else printOffers(show, country)
  })
}

function printOffers(show: Show, country: string | undefined): void {
  const years = yearOf(show)
  const title = styled(show.title, 'bold')
  process.stdout.write(`${title}${years === '' ? '' : ` (${years})`}, ${harmless(show.showType)}\n\n`)
  const countries = Object.keys(show.streamingOptions).sort()
  if (countries.length === 0) {
    process.stdout.write(`It cannot be watched ${country === undefined ? 'anywhere' : `in ${country}`}.\n`)
    return
  }
  printTable(
    ['country', 'service', 'how', 'price', 'quality', 'until', 'link'],
    countries.flatMap((code) =>
      offersIn(show, code).map((offer) => [
        code,
        offer.service.name,
        { styled: offerType(offer) },
        offer.price?.formatted ?? '',
        offer.quality ?? '',
        { styled: offerEnd(offer) },
        { styled: styled(offer.link, 'dim') },
      ]),
    ),
  )
}
