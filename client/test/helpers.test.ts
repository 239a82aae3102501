import { describe, expect, it } from 'vitest'
import { cheapestOffer, episodeLink, isLeavingSoon, offersByType } from '../src/index.ts'
import { type HelperCase, helperCases } from './support/case-file.ts'

const helpers: [name: string, run: (one: HelperCase) => unknown][] = [
  ['cheapest-offer', ({ show, arguments: { country, ...viewer } }) => cheapestOffer(show, country, viewer)?.link],
  [
    'offers-by-type',
    ({ show, arguments: { country } }) =>
      Object.fromEntries(
        Object.entries(offersByType(show, country)).map(([type, offers]) => [type, offers.map(({ link }) => link)]),
      ),
  ],
  [
    'is-leaving-soon',
    ({ offer, arguments: { days, now } }) => isLeavingSoon(offer, { days, now: new Date(now * 1000) }),
  ],
  ['episode-link', ({ show, arguments: choice }) => episodeLink(show, choice)],
]

describe.each(helpers)('%s', (name, run) => {
  it.each(helperCases(name).cases.map((one) => [one.name, one] as const))('%s', (_, one) => {
    expect(run(one) ?? null).toEqual(one.expect)
  })
})
