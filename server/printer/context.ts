import { allocate } from './memory'

/* What shows are printed for. */

/** The two letters of the language of texts. */
export let language: u32 = 0

/** In seconds, as all times. */
export let now: f64 = 0

/** An option that ends within so many seconds expires soon. */
export let soonSeconds: f64 = 0

/** Which members of options are printed, by bits. */
export let members: u32 = 0

/** Tells texts of which some members are printed from the whole ones: 0 for these. */
export let shape: u32 = 0

/** The instant until which all is valid that was printed since the context was set. */
export let validUntil: f64 = Infinity

const MAX_COUNTRIES = 1024
const countries: usize = allocate(MAX_COUNTRIES * sizeof<u16>())
let countryCount = -1

export function setContext(
  languageCode: u32,
  instant: f64,
  secondsOfSoon: f64,
  memberBits: u32,
  shapeNumber: u32,
): void {
  language = languageCode
  now = instant
  soonSeconds = secondsOfSoon
  members = memberBits
  shape = shapeNumber
  validUntil = Infinity
}

/** Where the caller writes the two letters of each country whose options are printed; `count` is negative for all countries. */
export function setCountries(count: i32): usize {
  if (count > MAX_COUNTRIES) unreachable()
  countryCount = count
  return countries
}

/** Whether the options of a country are printed. */
export function isPrinted(country: u32): bool {
  if (countryCount < 0) return true
  for (let i = 0; i < countryCount; i++) {
    if (load<u16>(countries + ((<usize>i) << 1)) === <u16>country) return true
  }
  return false
}

export function restrictValidity(instant: f64): void {
  if (instant < validUntil) validUntil = instant
}

export function getValidUntil(): f64 {
  return validUntil
}
