import { type Locale, normalizeAudios, normalizeSubtitles, type Subtitle } from '../../model/language.ts'
import { hashText, Random } from '../random.ts'
import type { DemoCountry } from './reference-data.ts'

/** The audio and subtitle tracks of an offer. Offers share these objects, so they are never changed. */
export interface Tracks {
  readonly audios: readonly Locale[]
  readonly subtitles: readonly Subtitle[]
}

const TRACK_VARIANTS = 12

/** ISO 639-1 to 639-2/3, for the original languages of the demo's shows. */
const ISO_639_3_CODES: Readonly<Record<string, string>> = {
  en: 'eng',
  es: 'spa',
  fr: 'fra',
  tr: 'tur',
  de: 'deu',
  it: 'ita',
  pt: 'por',
  nl: 'nld',
  pl: 'pol',
  sv: 'swe',
  ja: 'jpn',
  ko: 'kor',
  hi: 'hin',
  zh: 'zho',
  cn: 'yue',
  da: 'dan',
  no: 'nor',
  nb: 'nor',
  ru: 'rus',
  fa: 'fas',
  ar: 'ara',
  he: 'heb',
  te: 'tel',
}

/** Dub and subtitle locales, most common first. */
const DUB_LOCALES: readonly Locale[] =
  'eng spa-419 fra deu spa por-BRA ita jpn pol tur kor hin tha ces hun por rus ukr tam tel ind fil zho cat'
    .split(' ')
    .map(parseLocale)

const SUBTITLE_LOCALES: readonly Locale[] =
  'eng spa-419 fra spa por-BRA deu ita nld pol swe dan nor fin tur por ara kor jpn zho-CHN zho-TWN ron ces hun ell heb tha vie ind msa hrv ukr rus bul eus cat glg fil hin'
    .split(' ')
    .map(parseLocale)

const tracksByLanguage = new Map<string, readonly Tracks[]>()

/** Gets the track variants for an original language in a country. They are generated once for each pair. */
export function typicalTracks(originalLanguage: string, country: DemoCountry): readonly Tracks[] {
  const local = country.region === undefined ? country.language : `${country.language}-${country.region}`
  const key = `${originalLanguage}/${local}`
  let variants = tracksByLanguage.get(key)
  if (variants === undefined) {
    const random = new Random(hashText(key), 1)
    variants = Array.from({ length: TRACK_VARIANTS }, () =>
      generateTracks(random, originalLanguage, parseLocale(local)),
    )
    tracksByLanguage.set(key, variants)
  }
  return variants
}

function generateTracks(random: Random, originalLanguage: string, local: Locale): Tracks {
  const original = parseLocale(ISO_639_3_CODES[originalLanguage] ?? 'eng')
  const audios = [original]
  if (local.language !== original.language && random.chance(0.65)) audios.push(local)
  if (local.region !== undefined && local.language === original.language && random.chance(0.6)) audios.push(local)
  const dubs = Math.floor(random.next() ** 2.4 * 18)
  for (let i = 0; i < dubs; i++) audios.push(random.pickEarly(DUB_LOCALES))

  const subtitles: Subtitle[] = []
  if (random.chance(0.7)) subtitles.push({ closedCaptions: true, locale: original })
  if (random.chance(0.9)) subtitles.push({ closedCaptions: random.chance(0.35), locale: local })
  const count = Math.floor(random.next() ** 2.6 * 42)
  for (let i = 0; i < count; i++) {
    subtitles.push({ closedCaptions: random.chance(0.15), locale: random.pickEarly(SUBTITLE_LOCALES) })
  }
  return { audios: normalizeAudios(audios), subtitles: normalizeSubtitles(subtitles) }
}

function parseLocale(text: string): Locale {
  const [language = 'eng', region] = text.split('-')
  return region === undefined ? { language } : { language, region }
}
