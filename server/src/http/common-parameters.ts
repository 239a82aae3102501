import Type from 'typebox'
import { DEFAULT_LANGUAGE, OUTPUT_LANGUAGES } from '../model/language.ts'
import { OFFER_TYPES } from '../model/offer.ts'
import { GRANULARITIES, type Granularity, SHOW_TYPES } from '../model/show.ts'

/** The country whose catalogs are asked about. */
export const country = Type.String({
  pattern: '^[A-Za-z]{2}$',
  description: 'ISO 3166-1 alpha-2 code of the country, in any case.',
  examples: ['us'],
})

export const outputLanguage = Type.Enum(OUTPUT_LANGUAGES, {
  type: 'string',
  default: DEFAULT_LANGUAGE,
  description: 'ISO 639-1 code of the language in which names and texts are answered.',
  examples: ['en'],
})

export const showType = Type.Enum(SHOW_TYPES, {
  type: 'string',
  description: 'Only movies or only series; both if left out.',
  examples: ['movie'],
})

export const catalogs = Type.Array(Type.String(), {
  maxItems: 32,
  description:
    'Catalogs to look in; all of the country if left out. Each is `<service>` (everything on it), ' +
    `\`<service>.<type>\` (type: ${OFFER_TYPES.join(', ')}) or \`<service>.addon.<addon>\`. ` +
    'Ids come from `/countries`.',
  examples: [['netflix', 'prime.rent', 'apple.addon']],
})

export const cursor = Type.String({
  description: 'The `nextCursor` of the page before, URL-encoded; the other parameters stay the same.',
})

export const orderDirection = (defaults: string) =>
  Type.Enum(['asc', 'desc'], { type: 'string', description: `Direction of the order. ${defaults}` })

/** How much of a series is answered; endpoints differ in what they do unasked. */
export const seriesGranularity = (unasked: Granularity) =>
  Type.Enum(GRANULARITIES, {
    type: 'string',
    default: unasked,
    description:
      'How much of a series is answered: no seasons, seasons, or seasons with episodes. Movies are not affected.',
  })
