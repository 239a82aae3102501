import { constant, put, put1, putDecimal, putText, SIZE_BYTES, sizeOf, Text } from './bytes'
import { language, members, now, restrictValidity, shape, soonSeconds } from './context'
import { endList, OfferReader, offer, readCount, readOffer, videoLink } from './offers'
import { putByte, reserve, setEnd } from './output'
import { ADDON, AUDIOS, DICTIONARY, findString, PRICE, SERVICE, SUBTITLES } from './strings'

/* The members of options, by bits. */
const SERVICE_MEMBER: u32 = 1 << 0
const TYPE_MEMBER: u32 = 1 << 1
const ADDON_MEMBER: u32 = 1 << 2
const LINK_MEMBER: u32 = 1 << 3
const VIDEO_LINK_MEMBER: u32 = 1 << 4
const QUALITY_MEMBER: u32 = 1 << 5
const AUDIOS_MEMBER: u32 = 1 << 6
const SUBTITLES_MEMBER: u32 = 1 << 7
const PRICE_MEMBER: u32 = 1 << 8
const EXPIRES_SOON_MEMBER: u32 = 1 << 9
const EXPIRES_ON_MEMBER: u32 = 1 << 10
const AVAILABLE_SINCE_MEMBER: u32 = 1 << 11

/** More than the constants, the brackets and the numbers of an option. */
const MAX_CONSTANT_BYTES: usize = 320

/** Stands for a text that is not printed: it is empty. */
const NOTHING: Text = constant('')

const SERVICE_KEY = constant(',"service":')
const ADDON_KEY = constant(',"addon":')
const LINK_KEY = constant(',"link":"')
const VIDEO_LINK_KEY = constant(',"videoLink":"')
const AUDIOS_KEY = constant(',"audios":')
const SUBTITLES_KEY = constant(',"subtitles":')
const PRICE_KEY = constant(',"price":')
const EXPIRES_SOON = constant(',"expiresSoon":true')
const EXPIRES_LATER = constant(',"expiresSoon":false')
const EXPIRES_ON_KEY = constant(',"expiresOn":')
const AVAILABLE_SINCE_KEY = constant(',"availableSince":')

/* As `OFFER_TYPES` and `QUALITIES` in the model. */
const SUBSCRIPTION = constant(',"type":"subscription"')
const FREE = constant(',"type":"free"')
const RENT = constant(',"type":"rent"')
const BUY = constant(',"type":"buy"')
const ADDON_TYPE = constant(',"type":"addon"')
const SD = constant(',"quality":"sd"')
const HD = constant(',"quality":"hd"')
const QHD = constant(',"quality":"qhd"')
const UHD = constant(',"quality":"uhd"')

/** Prints the offers of a country in a list of offers as a member of `streamingOptions`; nothing if there are none to print. */
export function printCountry(reader: OfferReader): void {
  let printed = 0
  for (let left = readCount(reader); left > 0; left--) {
    readOffer(reader)
    if (!offer.isPrinted) continue
    if (printed++ === 0) openCountry(reader.country)
    else putByte(0x2c) // ,
    printOption(reader)
  }
  endList(reader)
  if (printed > 0) putByte(0x5d) // ]
}

/** Passes over the offers of an item that is not printed. */
export function skipCountry(reader: OfferReader): void {
  for (let left = readCount(reader); left > 0; left--) readOffer(reader)
  endList(reader)
}

function openCountry(country: u32): void {
  let to = reserve(8)
  if (load<u8>(to - 1) !== 0x7b) to = put1(to, 0x2c) // , unless it is the first
  to = put1(to, 0x22) // "
  store<u16>(to, <u16>country)
  to = put1(to + 2, 0x22)
  to = put1(to, 0x3a) // :
  setEnd(put1(to, 0x5b)) // [
}

function printOption(reader: OfferReader): void {
  const link = reader.link
  // All that has no fixed size is found first, so that room for all of it is made at once.
  const place = (reader.country << 16) | language
  const service = hasMember(SERVICE_MEMBER) ? findString(SERVICE | (shape << 8), place, offer.service, 0) : NOTHING
  const addon =
    offer.hasAddon && hasMember(ADDON_MEMBER)
      ? findString(ADDON | (shape << 8), place, offer.addon, offer.service)
      : NOTHING
  const audios = hasMember(AUDIOS_MEMBER) ? findJson(AUDIOS, offer.audios) : NOTHING
  const subtitles = hasMember(SUBTITLES_MEMBER) ? findJson(SUBTITLES, offer.subtitles) : NOTHING
  const price = offer.hasPrice && hasMember(PRICE_MEMBER) ? findJson(PRICE, offer.price) : NOTHING
  const size = sizeOf(service) + sizeOf(addon) + sizeOf(audios) + sizeOf(subtitles) + sizeOf(price)
  const start = reserve(size + link.size + videoLink.size + MAX_CONSTANT_BYTES)
  let to = put1(start, 0x7b) // {
  if (service !== NOTHING) to = putText(putKey(to, start, SERVICE_KEY), service)
  if (hasMember(TYPE_MEMBER)) to = putKey(to, start, typeMember())
  if (addon !== NOTHING) to = putText(putKey(to, start, ADDON_KEY), addon)
  if (hasMember(LINK_MEMBER)) {
    to = put(putKey(to, start, LINK_KEY), link.address, link.size)
    to = put1(to, 0x22) // "
  }
  if (offer.hasVideoLink && hasMember(VIDEO_LINK_MEMBER)) {
    to = put(putKey(to, start, VIDEO_LINK_KEY), videoLink.address, videoLink.size)
    to = put1(to, 0x22) // "
  }
  if (offer.quality > 0 && hasMember(QUALITY_MEMBER)) to = putKey(to, start, qualityMember())
  if (audios !== NOTHING) to = putText(putKey(to, start, AUDIOS_KEY), audios)
  if (subtitles !== NOTHING) to = putText(putKey(to, start, SUBTITLES_KEY), subtitles)
  if (price !== NOTHING) to = putText(putKey(to, start, PRICE_KEY), price)
  const soon = expiresSoon()
  if (hasMember(EXPIRES_SOON_MEMBER)) to = putKey(to, start, soon ? EXPIRES_SOON : EXPIRES_LATER)
  if (offer.hasExpiry && hasMember(EXPIRES_ON_MEMBER)) {
    to = putDecimal(putKey(to, start, EXPIRES_ON_KEY), offer.expiresOn)
  }
  if (hasMember(AVAILABLE_SINCE_MEMBER)) {
    to = putDecimal(putKey(to, start, AVAILABLE_SINCE_KEY), offer.availableSince)
  }
  setEnd(put1(to, 0x7d)) // }
}

function hasMember(bit: u32): bool {
  return (members & bit) !== 0
}

/** A value that the dictionary has as JSON, or what is printed of it. */
function findJson(kind: u32, number: u32): Text {
  return shape === 0 ? findString(DICTIONARY, 0, number, 0) : findString(kind | (shape << 8), 0, number, 0)
}

/** Writes what a member begins with, without the comma if it is the first of the object that starts there. */
function putKey(to: usize, object: usize, text: Text): usize {
  if (to > object + 1) return putText(to, text)
  return put(to, text + SIZE_BYTES + 1, sizeOf(text) - 1)
}

/** Whether the offer expires soon; otherwise what is printed is valid until it does. */
function expiresSoon(): bool {
  if (offer.isImminent) return true
  if (!offer.hasExpiry) return false
  const soonFrom = <f64>offer.expiresOn - soonSeconds
  if (now >= soonFrom) return true
  restrictValidity(soonFrom)
  return false
}

function typeMember(): Text {
  switch (offer.type) {
    case 0:
      return SUBSCRIPTION
    case 1:
      return FREE
    case 2:
      return RENT
    case 3:
      return BUY
    default:
      return ADDON_TYPE
  }
}

function qualityMember(): Text {
  switch (offer.quality) {
    case 1:
      return SD
    case 2:
      return HD
    case 3:
      return QHD
    default:
      return UHD
  }
}
