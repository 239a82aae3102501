import type { OfferType } from '../../model/offer.ts'

/** An addon of the demo: its id, what it is called, its colour. */
export interface DemoAddon {
  readonly id: string
  readonly name: string
  readonly color: string
}

/** A service of the demo. Names and colours resemble the real world; what it offers is invented. */
export interface DemoService {
  readonly id: string
  readonly name: string
  readonly color: string
  readonly types: readonly OfferType[]
  readonly hasTopList?: true
  readonly hasUpcoming?: true
  readonly addons?: readonly string[]
  /** The name in other languages, where it differs. */
  readonly names?: Readonly<Record<string, string>>
  readonly countries?: Readonly<Record<string, DemoServiceInCountry>>
}

/** What is different about a service in one country. */
export interface DemoServiceInCountry {
  readonly name?: string
  readonly color?: string
  readonly types?: readonly OfferType[]
  readonly addons?: readonly string[]
  readonly names?: Readonly<Record<string, string>>
}

/** Every addon of the demo by id. */
export const DEMO_ADDONS: ReadonlyMap<string, DemoAddon> = new Map(
  [
    ['acorntv', 'Acorn TV', '#2f7d5b'],
    ['amcplus', 'AMC+', '#1f1f1f'],
    ['arrow', 'ARROW', '#d4242a'],
    ['bfiplayer', 'BFI Player', '#e6007e'],
    ['britbox', 'BritBox', '#0f1d5c'],
    ['canalseries', 'Canal+ Séries', '#1a1a1a'],
    ['cinemax', 'Cinemax', '#c79a2b'],
    ['crunchyrolladdon', 'Crunchyroll', '#f47521'],
    ['curiositystream', 'CuriosityStream', '#f2a900'],
    ['discoveryplus', 'discovery+', '#2175d9'],
    ['disneyaddon', 'Disney+', '#0b2f8a'],
    ['filmtastic', 'FilmTastic', '#7a1fa2'],
    ['hallmarkplus', 'Hallmark+', '#5b2b82'],
    ['hayu', 'hayu', '#e0218a'],
    ['hbomaxaddon', 'HBO Max', '#5822b4'],
    ['historyplay', 'History Play', '#b8860b'],
    ['infinityplus', 'Infinity+', '#0057b8'],
    ['itvxpremium', 'ITVX Premium', '#0a5c63'],
    ['lionsgateplus', 'Lionsgate+', '#c8102e'],
    ['looke', 'Looke', '#ef6c00'],
    ['mgmplus', 'MGM+', '#b8902f'],
    ['mubiaddon', 'MUBI', '#001489'],
    ['nbaleaguepass', 'NBA League Pass', '#17408b'],
    ['paramountplus', 'Paramount+', '#0064ff'],
    ['premiere', 'Premiere', '#138a36'],
    ['shudder', 'Shudder', '#b5121b'],
    ['starzaddon', 'STARZ', '#101820'],
    ['starzplay', 'StarzPlay', '#0e7c86'],
    ['universalplus', 'Universal+', '#3b2a8c'],
    ['viaplayaddon', 'Viaplay', '#c2185b'],
  ].map(([id = '', name = '', color = '']) => [id, { id, name, color }]),
)

const ADDONS_US = [
  'hbomaxaddon',
  'starzaddon',
  'paramountplus',
  'mgmplus',
  'amcplus',
  'britbox',
  'acorntv',
  'discoveryplus',
]
const ADDONS_GB = [
  'paramountplus',
  'discoveryplus',
  'mgmplus',
  'lionsgateplus',
  'itvxpremium',
  'hayu',
  'shudder',
  'bfiplayer',
]
const ADDONS_DE = ['paramountplus', 'hbomaxaddon', 'mgmplus', 'filmtastic', 'crunchyrolladdon', 'arrow', 'historyplay']
const ADDONS_LATAM = ['paramountplus', 'hbomaxaddon', 'mgmplus', 'universalplus', 'lionsgateplus', 'looke']

/** Every service of the demo. */
export const DEMO_SERVICES: readonly DemoService[] = [
  { id: 'netflix', name: 'Netflix', color: '#e50914', types: ['subscription'], hasTopList: true, hasUpcoming: true },
  {
    id: 'prime',
    name: 'Prime Video',
    color: '#00a8e1',
    types: ['subscription', 'rent', 'buy', 'addon', 'free'],
    hasTopList: true,
    hasUpcoming: true,
    addons: ['paramountplus', 'mgmplus', 'shudder', 'curiositystream', 'mubiaddon'],
    names: { ja: 'プライム・ビデオ', ko: '프라임 비디오' },
    countries: {
      us: { addons: [...ADDONS_US, 'shudder', 'curiositystream', 'crunchyrolladdon', 'hallmarkplus'] },
      gb: { addons: ADDONS_GB },
      ca: {
        addons: ['paramountplus', 'starzaddon', 'britbox', 'mgmplus', 'amcplus', 'acorntv', 'hayu', 'nbaleaguepass'],
      },
      au: { addons: ['paramountplus', 'britbox', 'mgmplus', 'hayu', 'shudder', 'arrow'] },
      de: { addons: ADDONS_DE },
      at: { addons: ADDONS_DE },
      fr: { addons: ['paramountplus', 'hbomaxaddon', 'universalplus', 'canalseries', 'crunchyrolladdon', 'mgmplus'] },
      es: { addons: ['mgmplus', 'hbomaxaddon', 'universalplus', 'starzplay', 'historyplay'] },
      it: { addons: ['infinityplus', 'paramountplus', 'mgmplus', 'discoveryplus', 'historyplay'] },
      br: { addons: [...ADDONS_LATAM, 'premiere'] },
      mx: { addons: ADDONS_LATAM },
      ar: { addons: ADDONS_LATAM },
      tr: { types: ['subscription'], addons: [] },
      in: { addons: ['lionsgateplus', 'mubiaddon', 'crunchyrolladdon', 'discoveryplus'] },
      jp: { addons: ['hbomaxaddon', 'starzplay', 'crunchyrolladdon', 'historyplay'] },
      kr: { types: ['subscription'], addons: [] },
      se: { addons: ['viaplayaddon', 'hbomaxaddon', 'mgmplus', 'britbox'] },
    },
  },
  {
    id: 'disney',
    name: 'Disney+',
    color: '#113ccf',
    types: ['subscription', 'addon'],
    hasTopList: true,
    hasUpcoming: true,
    addons: [],
    names: { ja: 'ディズニープラス', ko: '디즈니+' },
    countries: { us: { addons: ['hbomaxaddon'] } },
  },
  {
    id: 'apple',
    name: 'Apple TV',
    color: '#000000',
    types: ['subscription', 'rent', 'buy', 'addon'],
    hasTopList: true,
    hasUpcoming: true,
    addons: ['mgmplus'],
    countries: {
      us: { addons: ['amcplus', 'starzaddon', 'paramountplus', 'mgmplus', 'britbox', 'acorntv', 'cinemax'] },
      gb: { addons: ['paramountplus', 'mgmplus', 'acorntv', 'lionsgateplus'] },
      ca: { addons: ['starzaddon', 'amcplus', 'britbox'] },
      tr: { types: ['subscription', 'buy', 'rent'], addons: [] },
      kr: { types: ['subscription'], addons: [] },
    },
  },
  {
    id: 'hbo',
    name: 'HBO Max',
    color: '#5822b4',
    types: ['subscription'],
    hasTopList: true,
    hasUpcoming: true,
    countries: { us: { types: ['subscription', 'addon'], addons: ['britbox', 'discoveryplus'] } },
  },
  { id: 'mubi', name: 'MUBI', color: '#001489', types: ['subscription'], hasUpcoming: true },
  {
    id: 'hulu',
    name: 'Hulu',
    color: '#1ce783',
    types: ['subscription', 'addon'],
    addons: ['hbomaxaddon', 'starzaddon', 'paramountplus', 'cinemax', 'disneyaddon'],
    countries: { jp: { types: ['subscription', 'rent'], addons: [], names: { ja: 'フールー' } } },
  },
  { id: 'paramount', name: 'Paramount+', color: '#0064ff', types: ['subscription'] },
  { id: 'peacock', name: 'Peacock', color: '#6e2db8', types: ['subscription', 'addon'], addons: ['hallmarkplus'] },
  { id: 'britbox', name: 'BritBox', color: '#0f1d5c', types: ['subscription'] },
  { id: 'crunchyroll', name: 'Crunchyroll', color: '#f47521', types: ['subscription', 'free'] },
  { id: 'curiosity', name: 'Curiosity Stream', color: '#f2a900', types: ['subscription'] },
  { id: 'discovery', name: 'discovery+', color: '#2175d9', types: ['subscription'] },
  { id: 'starz', name: 'STARZ', color: '#101820', types: ['subscription'] },
  { id: 'tubi', name: 'Tubi', color: '#7408ff', types: ['free'] },
  { id: 'plutotv', name: 'Pluto TV', color: '#1f1f2e', types: ['free'] },
  { id: 'itvx', name: 'ITVX', color: '#0a5c63', types: ['free', 'subscription'] },
  { id: 'iplayer', name: 'BBC iPlayer', color: '#ff4c98', types: ['free'] },
  { id: 'all4', name: 'Channel 4', color: '#00a34a', types: ['free', 'subscription'] },
  {
    id: 'now',
    name: 'NOW',
    color: '#00818a',
    types: ['subscription'],
    countries: { de: { name: 'WOW', color: '#c2007a' }, at: { name: 'Sky X', color: '#0072c9' } },
  },
  { id: 'stan', name: 'Stan', color: '#0072fb', types: ['subscription'] },
  { id: 'binge', name: 'BINGE', color: '#ff2d78', types: ['subscription'] },
  { id: 'iview', name: 'ABC iview', color: '#00717f', types: ['free'] },
  { id: 'crave', name: 'Crave', color: '#0099cc', types: ['subscription', 'addon'], addons: ['starzaddon'] },
  { id: 'gem', name: 'CBC Gem', color: '#d6132b', types: ['free', 'subscription'] },
  { id: 'zee5', name: 'ZEE5', color: '#8230c6', types: ['subscription', 'free'] },
  { id: 'sonyliv', name: 'SonyLIV', color: '#d68a00', types: ['subscription', 'free'] },
  {
    id: 'hotstar',
    name: 'Disney+ Hotstar',
    color: '#0f2a5f',
    types: ['subscription', 'free'],
    countries: { in: { name: 'JioHotstar', color: '#b3006b' } },
  },
  { id: 'mediaset', name: 'Mediaset Infinity', color: '#0057b8', types: ['free', 'subscription', 'rent'] },
  { id: 'raiplay', name: 'RaiPlay', color: '#0e3a7d', types: ['free'] },
  { id: 'rtlplus', name: 'RTL+', color: '#2d2a8c', types: ['subscription', 'free'] },
  { id: 'joyn', name: 'Joyn', color: '#4b4be0', types: ['free', 'subscription'] },
  { id: 'arte', name: 'ARTE', color: '#fa481c', types: ['free'] },
  {
    id: 'canalplus',
    name: 'CANAL+',
    color: '#1a1a1a',
    types: ['subscription', 'rent', 'buy', 'addon'],
    addons: ['canalseries', 'paramountplus'],
  },
  { id: 'francetv', name: 'france.tv', color: '#3a48d6', types: ['free'] },
  { id: 'movistar', name: 'Movistar Plus+', color: '#019df4', types: ['subscription', 'rent'] },
  { id: 'filmin', name: 'Filmin', color: '#00a58e', types: ['subscription', 'rent'] },
  { id: 'rakuten', name: 'Rakuten TV', color: '#bf0000', types: ['rent', 'buy', 'free'] },
  {
    id: 'globoplay',
    name: 'Globoplay',
    color: '#e6332a',
    types: ['subscription', 'free', 'addon'],
    addons: ['premiere', 'universalplus'],
  },
  { id: 'vix', name: 'ViX', color: '#ff5a00', types: ['free', 'subscription'] },
  { id: 'claro', name: 'Claro video', color: '#da291c', types: ['subscription', 'rent', 'buy'] },
  { id: 'blutv', name: 'BluTV', color: '#00a0dc', types: ['subscription'] },
  { id: 'exxen', name: 'Exxen', color: '#b99700', types: ['subscription'] },
  { id: 'gain', name: 'GAİN', color: '#2b2b2b', types: ['subscription', 'free'] },
  { id: 'unext', name: 'U-NEXT', color: '#00569f', types: ['subscription', 'rent', 'buy'] },
  { id: 'abema', name: 'ABEMA', color: '#00a868', types: ['free', 'subscription'], names: { ja: 'アベマ' } },
  { id: 'tving', name: 'TVING', color: '#ff153c', types: ['subscription'], names: { ko: '티빙' } },
  { id: 'wavve', name: 'wavve', color: '#1351f9', types: ['subscription', 'rent', 'buy'], names: { ko: '웨이브' } },
  { id: 'watcha', name: 'WATCHA', color: '#f82f62', types: ['subscription', 'rent', 'buy'], names: { ko: '왓챠' } },
  { id: 'videoland', name: 'Videoland', color: '#d9232e', types: ['subscription'] },
  { id: 'npo', name: 'NPO Start', color: '#ff6d00', types: ['free', 'subscription'] },
  { id: 'viaplay', name: 'Viaplay', color: '#c2185b', types: ['subscription', 'rent', 'buy'] },
  { id: 'svtplay', name: 'SVT Play', color: '#1a7f37', types: ['free'] },
  { id: 'polsat', name: 'Polsat Box Go', color: '#f39200', types: ['subscription', 'rent'] },
  { id: 'player', name: 'Player', color: '#8a1538', types: ['subscription', 'free', 'rent'] },
  { id: 'showmax', name: 'Showmax', color: '#e6007a', types: ['subscription'] },
  { id: 'shahid', name: 'Shahid', color: '#008f6b', types: ['subscription', 'free'] },
  { id: 'viu', name: 'Viu', color: '#c99a00', types: ['subscription', 'free'] },
  { id: 'skyshowtime', name: 'SkyShowtime', color: '#4a2bd1', types: ['subscription'] },
]

/** A service or an addon as its logo and its page show it. */
export interface DemoBrand {
  readonly name: string
  readonly color: string
  /** The service through which an addon is subscribed to. */
  readonly through?: string
}

const servicesById: ReadonlyMap<string, DemoService> = new Map(DEMO_SERVICES.map((service) => [service.id, service]))

/** What a service is called and coloured, in a country where that matters, or one of the addons; undefined if unknown. */
export function findBrand(id: string, where: { country?: string; addon?: string }): DemoBrand | undefined {
  const service = servicesById.get(id)
  if (service === undefined) return undefined
  if (where.addon !== undefined) {
    const addon = DEMO_ADDONS.get(where.addon)
    return addon && { name: addon.name, color: addon.color, through: service.name }
  }
  const here = where.country === undefined ? undefined : service.countries?.[where.country]
  return { name: here?.name ?? service.name, color: here?.color ?? service.color }
}

/** A service of the demo that is known to exist. */
export function requireService(id: string): DemoService {
  const service = servicesById.get(id)
  if (service === undefined) throw new Error(`The demo has no service "${id}".`)
  return service
}

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

type CountryRow = readonly [code: string, currency: string, priceLevel: number, locale: string, services: string]

const COUNTRY_ROWS: readonly CountryRow[] = [
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
export const DEMO_COUNTRIES: readonly DemoCountry[] = COUNTRY_ROWS.map(
  ([code, currency, priceLevel, locale, services]) => {
    const [language = 'eng', region] = locale.split('-')
    return {
      code,
      currency,
      priceLevel,
      language,
      ...(region === undefined ? {} : { region }),
      services: services.split(' '),
    }
  },
)
