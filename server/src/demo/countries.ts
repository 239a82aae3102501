/** A country of the demo. */
export interface DemoCountry {
  readonly code: string
  readonly currency: string
  /** How many units of the currency stand for a dollar's worth of film. */
  readonly priceLevel: number
  /** The language of its dubbing and subtitles, ISO 639-2/3, with a region where it is usual to give one. */
  readonly language: string
  readonly region?: string
  /** Service ids, most popular first. */
  readonly services: readonly string[]
}

type Row = readonly [code: string, currency: string, priceLevel: number, locale: string, services: string]

const ROWS: readonly Row[] = [
  [
    'us',
    'USD',
    1,
    'eng',
    'netflix prime disney hbo hulu apple peacock paramount tubi plutotv starz britbox crunchyroll discovery mubi curiosity vix',
  ],
  [
    'gb',
    'GBP',
    0.88,
    'eng-GBR',
    'netflix prime iplayer disney itvx now all4 apple paramount discovery britbox plutotv mubi crunchyroll rakuten curiosity',
  ],
  [
    'ca',
    'CAD',
    1.35,
    'eng',
    'netflix prime disney crave apple paramount gem tubi plutotv britbox crunchyroll discovery mubi starz curiosity',
  ],
  [
    'au',
    'AUD',
    1.4,
    'eng',
    'netflix prime stan disney binge apple paramount hbo iview britbox tubi crunchyroll mubi curiosity',
  ],
  [
    'de',
    'EUR',
    0.98,
    'deu',
    'netflix prime disney now rtlplus joyn apple hbo paramount arte plutotv rakuten crunchyroll mubi discovery curiosity',
  ],
  [
    'fr',
    'EUR',
    0.96,
    'fra',
    'netflix prime disney canalplus apple hbo paramount francetv arte plutotv rakuten crunchyroll mubi curiosity',
  ],
  [
    'es',
    'EUR',
    0.92,
    'spa',
    'netflix prime hbo disney movistar filmin apple skyshowtime rakuten plutotv crunchyroll mubi curiosity',
  ],
  [
    'it',
    'EUR',
    0.94,
    'ita',
    'netflix prime disney now mediaset raiplay apple paramount discovery rakuten plutotv crunchyroll mubi',
  ],
  [
    'br',
    'BRL',
    4.6,
    'por-BRA',
    'netflix prime globoplay hbo disney apple paramount claro plutotv mubi crunchyroll vix',
  ],
  ['mx', 'MXN', 16, 'spa-419', 'netflix prime hbo disney vix claro apple paramount plutotv mubi crunchyroll tubi'],
  ['tr', 'TRY', 22, 'tur', 'netflix prime disney blutv exxen gain hbo apple mubi crunchyroll'],
  ['jp', 'JPY', 125, 'jpn', 'netflix prime unext disney hulu apple abema mubi crunchyroll'],
  ['kr', 'KRW', 1200, 'kor', 'netflix tving wavve watcha disney prime apple mubi'],
  ['in', 'INR', 38, 'hin', 'hotstar prime netflix sonyliv zee5 apple mubi crunchyroll discovery curiosity'],
  ['nl', 'EUR', 0.97, 'nld', 'netflix videoland disney prime hbo viaplay npo skyshowtime apple rakuten plutotv mubi'],
  ['se', 'SEK', 11, 'swe', 'netflix viaplay hbo svtplay disney prime skyshowtime apple plutotv mubi britbox'],
  ['pl', 'PLN', 3.9, 'pol', 'netflix hbo player disney prime polsat skyshowtime canalplus apple rakuten mubi'],
  ['ar', 'ARS', 1150, 'spa-419', 'netflix prime disney hbo paramount apple claro plutotv vix mubi crunchyroll'],
  ['be', 'EUR', 0.97, 'nld', 'netflix disney prime hbo videoland apple arte rakuten mubi'],
  ['at', 'EUR', 0.98, 'deu', 'netflix prime disney now rtlplus joyn apple hbo arte rakuten mubi crunchyroll'],
  ['ch', 'CHF', 1.05, 'deu', 'netflix disney prime now canalplus apple rtlplus joyn arte rakuten mubi'],
  ['dk', 'DKK', 7.2, 'dan', 'netflix viaplay hbo disney prime skyshowtime apple plutotv rakuten mubi britbox'],
  ['no', 'NOK', 11, 'nor', 'netflix hbo viaplay disney prime skyshowtime apple plutotv mubi britbox'],
  ['fi', 'EUR', 0.99, 'fin', 'netflix hbo viaplay disney prime skyshowtime apple rakuten mubi britbox'],
  ['ie', 'EUR', 0.98, 'eng-GBR', 'netflix prime disney now paramount apple itvx all4 discovery rakuten mubi'],
  ['pt', 'EUR', 0.9, 'por', 'netflix prime hbo disney skyshowtime filmin apple rakuten mubi'],
  ['nz', 'NZD', 1.5, 'eng', 'netflix prime disney apple britbox hbo mubi crunchyroll curiosity'],
  ['cl', 'CLP', 880, 'spa-419', 'netflix prime disney hbo paramount apple claro plutotv vix mubi'],
  ['co', 'COP', 3900, 'spa-419', 'netflix prime disney hbo paramount claro apple plutotv vix mubi'],
  ['pe', 'PEN', 3.4, 'spa-419', 'netflix prime disney hbo paramount claro apple plutotv mubi'],
  ['za', 'ZAR', 13, 'eng', 'netflix showmax prime disney apple britbox mubi'],
  ['ae', 'AED', 3.6, 'ara', 'netflix shahid prime disney apple mubi'],
  ['sg', 'SGD', 1.3, 'eng', 'netflix disney prime viu hbo apple mubi crunchyroll'],
  ['hk', 'HKD', 7.6, 'yue', 'netflix viu disney prime hbo apple mubi'],
  ['my', 'MYR', 3.6, 'msa', 'netflix viu disney prime hbo apple mubi'],
  ['th', 'THB', 29, 'tha', 'netflix viu disney prime hbo apple mubi'],
  ['id', 'IDR', 12500, 'ind', 'netflix viu disney prime hbo apple mubi'],
  ['ph', 'PHP', 45, 'fil', 'netflix viu disney prime hbo apple mubi'],
  ['cz', 'CZK', 20, 'ces', 'netflix hbo disney prime skyshowtime canalplus apple rakuten mubi'],
  ['hu', 'HUF', 290, 'hun', 'netflix hbo disney prime skyshowtime apple mubi'],
  ['ro', 'RON', 4.1, 'ron', 'netflix hbo disney prime skyshowtime apple mubi'],
  ['gr', 'EUR', 0.88, 'ell', 'netflix disney prime apple rakuten mubi'],
  ['il', 'ILS', 3.4, 'heb', 'netflix disney prime hbo apple mubi'],
  ['bg', 'EUR', 0.8, 'bul', 'netflix hbo disney prime skyshowtime apple mubi'],
]

/** The countries of the demo, in the order in which a smaller demo takes them. */
export const DEMO_COUNTRIES: readonly DemoCountry[] = ROWS.map(([code, currency, priceLevel, locale, services]) => {
  const [language = 'eng', region] = locale.split('-')
  return {
    code,
    currency,
    priceLevel,
    language,
    ...(region === undefined ? {} : { region }),
    services: services.split(' '),
  }
})
