/** A service that TMDB's providers are known under: what it is called, its home page and its colour. */
export interface KnownService {
  readonly name: string
  readonly homePage: string
  readonly color: string
}

/** Services by the ids that catalogs use for them. */
export const KNOWN_SERVICES: ReadonlyMap<string, KnownService> = new Map(
  Object.entries({
    netflix: { name: 'Netflix', homePage: 'https://www.netflix.com', color: '#e50914' },
    prime: { name: 'Prime Video', homePage: 'https://www.primevideo.com', color: '#00a8e1' },
    disney: { name: 'Disney+', homePage: 'https://www.disneyplus.com', color: '#01137c' },
    apple: { name: 'Apple TV', homePage: 'https://tv.apple.com', color: '#000000' },
    hbo: { name: 'HBO Max', homePage: 'https://www.hbomax.com', color: '#5822b4' },
    mubi: { name: 'MUBI', homePage: 'https://mubi.com', color: '#001489' },
    hulu: { name: 'Hulu', homePage: 'https://www.hulu.com', color: '#1ce783' },
    paramount: { name: 'Paramount+', homePage: 'https://www.paramountplus.com', color: '#0064ff' },
    peacock: { name: 'Peacock', homePage: 'https://www.peacocktv.com', color: '#6e2db8' },
    crunchyroll: { name: 'Crunchyroll', homePage: 'https://www.crunchyroll.com', color: '#f47521' },
    tubi: { name: 'Tubi', homePage: 'https://tubitv.com', color: '#7408ff' },
    plutotv: { name: 'Pluto TV', homePage: 'https://pluto.tv', color: '#1f1f2e' },
    starz: { name: 'STARZ', homePage: 'https://www.starz.com', color: '#101820' },
    britbox: { name: 'BritBox', homePage: 'https://www.britbox.com', color: '#0f1d5c' },
    curiosity: { name: 'Curiosity Stream', homePage: 'https://curiositystream.com', color: '#f2a900' },
    discovery: { name: 'discovery+', homePage: 'https://www.discoveryplus.com', color: '#2175d9' },
    iplayer: { name: 'BBC iPlayer', homePage: 'https://www.bbc.co.uk/iplayer', color: '#ff4c98' },
    itvx: { name: 'ITVX', homePage: 'https://www.itv.com', color: '#0a5c63' },
    all4: { name: 'Channel 4', homePage: 'https://www.channel4.com', color: '#00a34a' },
    now: { name: 'NOW', homePage: 'https://www.nowtv.com', color: '#00818a' },
    stan: { name: 'Stan', homePage: 'https://www.stan.com.au', color: '#0072fb' },
    binge: { name: 'BINGE', homePage: 'https://binge.com.au', color: '#ff2d78' },
    crave: { name: 'Crave', homePage: 'https://www.crave.ca', color: '#0099cc' },
    rakuten: { name: 'Rakuten TV', homePage: 'https://www.rakuten.tv', color: '#bf0000' },
    zee5: { name: 'ZEE5', homePage: 'https://www.zee5.com', color: '#8230c6' },
    sonyliv: { name: 'SonyLIV', homePage: 'https://www.sonyliv.com', color: '#d68a00' },
    arte: { name: 'ARTE', homePage: 'https://www.arte.tv', color: '#fa481c' },
    rtlplus: { name: 'RTL+', homePage: 'https://plus.rtl.de', color: '#2d2a8c' },
    joyn: { name: 'Joyn', homePage: 'https://www.joyn.de', color: '#4b4be0' },
    raiplay: { name: 'RaiPlay', homePage: 'https://www.raiplay.it', color: '#0e3a7d' },
    canalplus: { name: 'Canal+', homePage: 'https://www.canalplus.com', color: '#1a1a1a' },
    filmin: { name: 'Filmin', homePage: 'https://www.filmin.es', color: '#00a58e' },
    videoland: { name: 'Videoland', homePage: 'https://www.videoland.com', color: '#d9232e' },
    viaplay: { name: 'Viaplay', homePage: 'https://viaplay.com', color: '#c2185b' },
    skyshowtime: { name: 'SkyShowtime', homePage: 'https://www.skyshowtime.com', color: '#4a2bd1' },
    globoplay: { name: 'Globoplay', homePage: 'https://globoplay.globo.com', color: '#fb0234' },
    unext: { name: 'U-NEXT', homePage: 'https://video.unext.jp', color: '#00569f' },
    wavve: { name: 'wavve', homePage: 'https://www.wavve.com', color: '#1351f9' },
    watcha: { name: 'WATCHA', homePage: 'https://watcha.com', color: '#f82f62' },
  }),
)

/**
 * Provider ids of TMDB, by service, with a word that the provider's name has to hold: an id that has come to mean
 * somebody else is then not taken for the service.
 */
const ROWS: readonly (readonly [service: string, word: string, ...ids: readonly number[]])[] = [
  ['netflix', 'netflix', 8, 175, 1796],
  ['prime', 'amazon', 9, 10, 119, 613, 2100],
  ['disney', 'disney', 337],
  ['apple', 'apple', 2, 350],
  ['hbo', 'max', 384, 1899],
  ['mubi', 'mubi', 11],
  ['hulu', 'hulu', 15],
  ['paramount', 'paramount', 531, 1770, 2303, 2304],
  ['peacock', 'peacock', 386, 387],
  ['crunchyroll', 'crunchyroll', 283],
  ['tubi', 'tubi', 73],
  ['plutotv', 'pluto', 300],
  ['starz', 'starz', 43],
  ['britbox', 'britbox', 151],
  ['curiosity', 'curiosity', 190],
  ['discovery', 'discovery', 520, 524],
  ['iplayer', 'iplayer', 38],
  ['itvx', 'itv', 41],
  ['all4', '4', 103],
  ['now', 'now', 39],
  ['stan', 'stan', 21],
  ['binge', 'binge', 385],
  ['crave', 'crave', 230],
  ['rakuten', 'rakuten', 35],
  ['zee5', 'zee5', 232],
  ['sonyliv', 'sony', 237],
  ['arte', 'arte', 234],
  ['rtlplus', 'rtl', 298],
  ['joyn', 'joyn', 304],
  ['raiplay', 'rai', 222],
  ['canalplus', 'canal', 381],
  ['filmin', 'filmin', 63],
  ['videoland', 'videoland', 72],
  ['viaplay', 'viaplay', 76],
  ['skyshowtime', 'skyshowtime', 1773],
  ['globoplay', 'globoplay', 307],
  ['unext', 'next', 84],
  ['wavve', 'wavve', 356],
  ['watcha', 'watcha', 97],
]

/** Provider id to service, and the word that the provider's name has to hold, in lower case. */
export const PROVIDER_TABLE: ReadonlyMap<number, { readonly service: string; readonly word: string }> = new Map(
  ROWS.flatMap(([service, word, ...ids]) => ids.map((id) => [id, { service, word }] as const)),
)
