import { VersionedCache } from '../../lib/cache.ts'
import { AND, canonicalizeWords, isAnyArticle } from '../text/canonical-words.ts'
import { fold, splitWords } from '../text/tokenizer.ts'

/**
 * A title as sources are compared by it: without case, accents, punctuation and spaces; with numbers as digits; without
 * "and", seasons, versions and years in brackets. Every form is a text without spaces, empty where there is none.
 */
export interface FoldedTitle {
  /** All words. */
  readonly strict: string
  /** Without the article at the start of each part. */
  readonly full: string
  /** The words of `full` in alphabetical order. */
  readonly sorted: string
  /** What stands before the first colon, dash or bracket, and after the last one. */
  readonly main: string
  readonly tail: string
  /** Without a leading possessive: "Marvel's Daredevil" is "Daredevil". */
  readonly brandless: string
  /** Without a trailing year: "Ghostbusters 2016" may be "Ghostbusters". */
  readonly yearless: string
  /** The numbers in the title, other than 1, joined by commas. */
  readonly numbers: string
  readonly wordCount: number
  /** The country of a version of a format, from brackets. */
  readonly country: string
  /** The words that name a version: dubbed, extended, … */
  readonly version: string
  /** A year in brackets or at the end. */
  readonly year: number | undefined
}

const QUOTES = /[\u2018\u2019\u02bc\u0060\u00b4]/g
const BRACKETED = /^(.*\S)\s*[([{]([^()[\]{}]*)[)\]}]\s*$/
const INVERTED_ARTICLE = /^(.+), (the|an?|les?|la|el|los|las|der|die|das|il|lo|gli|une?|una|l')$/
const SEPARATOR = /\s*[:|;~]\s*|\s+[-\u2013\u2014]+\s+|\s*[\u2013\u2014]\s*|:\s*/
const ALIAS = /\s+(?:a\.?k\.?a\.?)\s+|\s+\/\s+/
const HAS_ALIAS = / a\.?k\.?a\.? | \/ /
const POSSESSIVE = /^(?:\S+ ){0,2}\S+(?:'s|s') (.+)$/
const YEAR = /^(?:19|20)\d\d$/
const YEARS = /^(?:19|20)\d\d(?: ?[-\u2013] ?(?:(?:19|20)\d\d)?)?$/

/** Titles are folded several times on their way from a record into the catalog, so the last ones are cached. */
export const foldedTitleCache = new VersionedCache<string, readonly FoldedTitle[]>({
  name: 'folded_titles',
  maxBytes: 4 * 1024 * 1024,
  sizeOf: (folded, title) => 400 * folded.length + 2 * title.length,
})

/** Folds a title. A title that names another one ("Ju-on aka The Grudge") gives a folded title for each. */
export function foldTitle(title: string): readonly FoldedTitle[] {
  return foldedTitleCache.getOrCompute(title, undefined, () => foldAliases(title))
}

function foldAliases(title: string): FoldedTitle[] {
  const text = fold(title).replace(QUOTES, "'")
  if (!HAS_ALIAS.test(text)) return [foldText(text)]
  const parts = text.split(ALIAS).filter((part) => part.trim() !== '')
  return parts.length < 2 ? [foldText(text)] : [foldText(text), ...parts.map(foldText)]
}

/** The marks that are taken off a title before it is split into words. */
interface Marks {
  country: string
  version: string
  year: number | undefined
}

function foldText(whole: string): FoldedTitle {
  const marks: Marks = { country: '', version: '', year: undefined }
  const parts = splitParts(whole.trim(), marks)
  const words = parts.map(toWords)
  const bare = words.map(withoutArticle)
  const all = bare.flat()
  const full = all.join('')
  const last = all.at(-1) ?? ''
  const hasYear = all.length > 1 && YEAR.test(last)
  const brand = POSSESSIVE.exec(parts[0] as string)?.[1]
  const brandless = brand === undefined ? '' : [withoutArticle(toWords(brand)), ...bare.slice(1)].flat().join('')
  const hasSubtitle = parts.length > 1
  return {
    strict: words.flat().join(''),
    full,
    sorted: all.length < 2 ? full : [...all].sort().join(''),
    main: hasSubtitle ? (bare[0] as string[]).join('') : '',
    tail: hasSubtitle ? (bare.at(-1) as string[]).join('') : '',
    brandless: brandless.length >= 6 ? brandless : '',
    yearless: hasYear ? all.slice(0, -1).join('') : '',
    numbers: all.filter((word) => word !== '1' && isNumber(word)).join(','),
    wordCount: all.length,
    ...marks,
    year: marks.year ?? (hasYear ? Number(last) : undefined),
  }
}

/** The title and its subtitles, without years, countries, versions and seasons, which go to the marks. */
function splitParts(whole: string, marks: Marks): string[] {
  let text = whole
  const aside: string[] = []
  for (let match = BRACKETED.exec(text); match !== null; match = BRACKETED.exec(text)) {
    const [, rest, inside] = match as unknown as [string, string, string]
    if (!takeMark(inside.trim(), marks, false)) aside.unshift(inside)
    text = rest
  }
  const inverted = INVERTED_ARTICLE.exec(text)
  if (inverted !== null) text = `${inverted[2]} ${inverted[1]}`
  text = text.replace(TRAILING_SEASON, '')
  const [first = '', ...others] = text.split(SEPARATOR).filter((part) => part.trim() !== '')
  const subtitles = others.filter((part) => !takeMark(part.trim(), marks, true))
  const parts = [first, ...subtitles, ...aside]
  // A title of separators only is its own text.
  return first === '' ? [whole] : parts
}

/** Whether a text only marks a season, version, country or year; the marks get what it says. */
function takeMark(text: string, marks: Marks, isSubtitle: boolean): boolean {
  const words = splitWords(text.replace(/['.]/g, ''))
  const plain = words.join(' ')
  if (SEASON_MARK.test(plain)) return true
  const isVersion = words.every((word) => VERSION_WORDS.has(word))
  if (isSubtitle) {
    if (!isVersion || !words.some((word) => VERSION_MARKS.has(word))) return false
    marks.version = plain
    return true
  }
  if (YEARS.test(text)) {
    marks.year ??= Number(text.slice(0, 4))
    return true
  }
  const country = COUNTRY_MARKS.get(plain)
  if (country !== undefined) marks.country = country
  else if (isVersion) marks.version = plain
  return country !== undefined || isVersion
}

/** The words of a part, with numbers as digits, and without "and". */
function toWords(part: string): string[] {
  const text = part.replace(/['.]/g, '')
  const raw = splitWords(text)
  // A title of punctuation only is its own word.
  if (raw.length === 0) return text.trim() === '' ? [] : [text.trim()]
  const canonical = canonicalizeWords(raw, 'en')
  const words: string[] = []
  canonical.forEach((word, i) => {
    const isInside = i > 0 && i < canonical.length - 1
    if (word === AND ? canonical.length > 1 : isInside && CONNECTIVES.has(word)) return
    if (!isNumber(word)) {
      words.push(SHORT_FORMS.get(word) ?? word)
      return
    }
    if (words.length > 0 && PART_WORDS.has(canonical[i - 1] as string)) words.pop()
    words.push(String(Number(word)))
  })
  return words
}

function isNumber(word: string): boolean {
  return /^\d{1,9}$/.test(word)
}

function withoutArticle(words: string[]): string[] {
  return words.length > 1 && isAnyArticle(words[0] as string) ? words.slice(1) : words
}

const DIGRAPHS: Readonly<Record<string, string>> = {
  ph: 'f',
  kh: 'k',
  gh: 'g',
  bh: 'b',
  dh: 'd',
  th: 't',
  sh: 's',
  ch: 'k',
  zh: 'z',
  ck: 'k',
  q: 'k',
  c: 'k',
  w: 'v',
  x: 'ks',
  z: 's',
}

/**
 * The consonants of a Latin text, with those alike that transliterations confuse: "Dilwale" and "Dilwaale", "Chaikovsky"
 * and "Tschaikowski" come near each other. Other scripts stay as they are.
 */
export function toSkeleton(text: string): string {
  if (!/^[a-z0-9]*$/.test(text)) return text
  return text
    .replace(/[pkgbdtscz]h|ck|[qcwxz]/g, (letters) => DIGRAPHS[letters] as string)
    .replace(/[aeiouyh]/g, '')
    .replace(/([a-z])\1+/g, '$1')
}

/* Words that say nothing about which work is meant. Numbers, articles and abbreviations are those of title search. */

/** Words for "and"; "&" and "+" are written for each of them. */
const CONNECTIVES: ReadonlySet<string> = new Set('and und et och og ve y e en'.split(' '))

/** Words before the number of a part; "Part 2", "Vol. 2" and "2" are the same. */
const PART_WORDS: ReadonlySet<string> = new Set(
  'part volume chapter book episode ep teil parte partie capitulo kapitel tome no nr number'.split(' '),
)

/** Words that are shortened at the end of a title, too. */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['jr', 'junior'],
  ['bros', 'brothers'],
])

/** Words that name a version of a work, not another work: `(Director's Cut)`, `[4K UHD]`, `(Hindi Dubbed)`. */
const VERSION_WORDS: ReadonlySet<string> = new Set(
  (
    'extended unrated uncut uncensored theatrical directors director cut edition special remastered restored restoration ' +
    '4k uhd hd 3d imax version dubbed dub subbed subtitled subtitles sub ultimate anniversary collectors final full ' +
    'english hindi tamil telugu malayalam kannada bengali marathi punjabi gujarati spanish espanol latin french francais ' +
    'german deutsch italian italiano japanese korean mandarin cantonese chinese portuguese russian arabic turkish ' +
    'filipino tagalog indonesian thai vietnamese polish dutch swedish original language audio with in the and tv movie ' +
    'film show series feature short documentary bonus content rated colorized colorised eng'
  ).split(' '),
)

/** Words of which one must be there for a subtitle without brackets to be the name of a version. */
const VERSION_MARKS: ReadonlySet<string> = new Set(
  'extended unrated uncut uncensored theatrical cut edition remastered restored version dubbed subbed subtitled 4k uhd imax'.split(
    ' ',
  ),
)

/** Countries in brackets after a title: two versions of a format, such as `The Office (U.S.)` and `(UK)`. */
const COUNTRY_MARKS: ReadonlyMap<string, string> = new Map(
  (
    'us:us usa:us america:us uk:uk gb:uk britain:uk england:uk au:au aus:au australia:au nz:nz canada:ca india:in ' +
    'ireland:ie france:fr germany:de deutschland:de spain:es espana:es italy:it italia:it brasil:br brazil:br mexico:mx ' +
    'japan:jp jp:jp korea:kr kr:kr china:cn turkey:tr sweden:se denmark:dk norway:no finland:fi poland:pl russia:ru'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)

const COUNT = '(?:\\d{1,2}|[ivx]+|one|two|three|four|five|six|seven|eight|nine|ten)'
const ORDINAL = '(?:complete|entire|final|last|first|second|third|fourth|fifth|sixth|seventh|\\d+(?:st|nd|rd|th))'
const SEASON = '(?:seasons?|temporadas?|staffel|saison|stagione|sezon|seizoen)'

/** A whole subtitle, or the content of brackets, that names a season and not a work. */
const SEASON_MARK = new RegExp(
  `^(?:(?:the )?(?:${ORDINAL} )*${SEASON}(?: ${COUNT}(?: (?:to )?${COUNT})?)?|(?:the )?(?:${ORDINAL} )+series|` +
    `series ${COUNT}|s ?\\d{1,2}(?: ?e ?\\d{1,3})?|(?:an? |the )?(?:limited|mini|original|new) ?series|miniseries)$`,
)

/** The number of a season at the end of a title without a separator. */
const TRAILING_SEASON = new RegExp(` (?:${SEASON} ${COUNT}|s\\d{1,2})$`)
