/** Countries by the currency that their prices are in; the runtime does not know it. */
const COUNTRIES: Readonly<Record<string, string>> = {
  AED: 'ae',
  ARS: 'ar',
  AUD: 'au',
  BRL: 'br',
  CAD: 'ca',
  CHF: 'ch li',
  CLP: 'cl',
  CNY: 'cn',
  COP: 'co',
  CZK: 'cz',
  DKK: 'dk',
  EGP: 'eg',
  EUR: 'ad at be bg cy de ee es fi fr gr hr ie it lt lu lv mc me mt nl pt si sk sm va xk',
  GBP: 'gb',
  HKD: 'hk',
  HUF: 'hu',
  IDR: 'id',
  ILS: 'il',
  INR: 'in',
  ISK: 'is',
  JPY: 'jp',
  KRW: 'kr',
  MAD: 'ma',
  MXN: 'mx',
  MYR: 'my',
  NOK: 'no',
  NZD: 'nz',
  PEN: 'pe',
  PHP: 'ph',
  PLN: 'pl',
  QAR: 'qa',
  RON: 'ro',
  RSD: 'rs',
  SAR: 'sa',
  SEK: 'se',
  SGD: 'sg',
  THB: 'th',
  TRY: 'tr',
  TWD: 'tw',
  UAH: 'ua',
  USD: 'us ec pa sv pr',
  VND: 'vn',
  ZAR: 'za',
}

const currencies: ReadonlyMap<string, string> = new Map(
  Object.entries(COUNTRIES).flatMap(([currency, countries]) => countries.split(' ').map((code) => [code, currency])),
)

/** The currency of a country (ISO 4217), if it is known. */
export function countryCurrency(country: string): string | undefined {
  return currencies.get(country)
}
