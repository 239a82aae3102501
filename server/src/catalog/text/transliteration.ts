/*
 * Latin transcription of scripts that have one letter for one sound: Cyrillic, Greek and Japanese kana. Titles and
 * queries are both transcribed, so that each finds the other, whichever script the catalog has.
 */

const CYRILLIC =
  'а=a б=b в=v г=g д=d е=e ж=zh з=z и=i к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts ч=ch ш=sh щ=shch ъ= ы=y ь= ' +
  'э=e ю=yu я=ya і=i є=ye ґ=g ђ=dj ј=j љ=lj њ=nj ћ=c џ=dz ѕ=dz ѣ=e ғ=g қ=k ң=n ү=u ұ=u һ=h ә=a ө=o'

const GREEK = 'α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=ch ψ=ps ω=o'

const LATIN_LETTERS = new Map(
  `${CYRILLIC} ${GREEK}`.split(' ').map((pair) => pair.split('=') as [letter: string, latin: string]),
)

const TRANSCRIBED = /[\u0370-\u03ff\u0400-\u052f]/g
const GREEK_OU = /ου/g

/** Folded text with Cyrillic and Greek letters in Latin ones. */
export function transliterate(folded: string): string {
  if (folded.search(TRANSCRIBED) < 0) return folded
  return folded.replace(GREEK_OU, 'ou').replace(TRANSCRIBED, (letter) => LATIN_LETTERS.get(letter) ?? letter)
}

/* Rows of the kana table by consonant, in the order of the vowels. Hiragana; katakana is shifted onto it first. */
const KANA_ROWS: Readonly<Record<string, string>> = {
  '': 'あいうえお',
  k: 'かきくけこ',
  s: 'さしすせそ',
  t: 'たちつてと',
  n: 'なにぬねの',
  h: 'はひふへほ',
  m: 'まみむめも',
  y: 'や　ゆ　よ',
  r: 'らりるれろ',
  w: 'わゐ　ゑを',
  g: 'がぎぐげご',
  z: 'ざじずぜぞ',
  d: 'だぢづでど',
  b: 'ばびぶべぼ',
  p: 'ぱぴぷぺぽ',
  v: '　　ゔ　　',
}

const IRREGULAR: Readonly<Record<string, string>> = {
  し: 'shi',
  ち: 'chi',
  つ: 'tsu',
  ふ: 'fu',
  じ: 'ji',
  ぢ: 'ji',
  づ: 'zu',
}

const SMALL_VOWELS: Readonly<Record<string, string>> = { ぁ: 'a', ぃ: 'i', ぅ: 'u', ぇ: 'e', ぉ: 'o', ゎ: 'wa' }
/** Before a small vowel, u and i are the consonants of it: ウィ is wi, イェ is ye. The kana of that consonant take their place. */
const SEMIVOWELS = /う(?=[ぃぇぉ])|い(?=ぇ)/g
const SMALL_Y: Readonly<Record<string, string>> = { ゃ: 'a', ゅ: 'u', ょ: 'o' }

const KANA = buildKanaTable()

function buildKanaTable(): Map<string, string> {
  const table = new Map<string, string>([['ん', 'n']])
  for (const [consonant, row] of Object.entries(KANA_ROWS)) {
    Array.from(row).forEach((kana, i) => {
      if (kana !== '　') table.set(kana, IRREGULAR[kana] ?? consonant + 'aiueo'[i])
    })
  }
  return table
}

/** Runs of katakana, and of hiragana. A change of script mostly is a word boundary. */
const KANA_RUN = /[\u30a1-\u30f4\u30fc]+|[\u3041-\u3094\u30fc]+/g
const HIRAGANA = /[\u3041-\u3094]/
const KATAKANA = /[\u30a1-\u30f4]/g
const HAN = /\p{Script=Han}/u
/** The mark of a long vowel. */
const PROLONGED = 'ー'
const LAST_VOWEL = /[aiueo]$/
/** Kana, also in circles, squares and of half width, which are compatibility forms of the others. */
const MAY_HAVE_KANA = /[\u3041-\u30ff\u32d0-\u3357\uff66-\uff9f]/

/** A run of kana with its transcription, or the text between two runs. */
export interface KanaSegment {
  readonly text: string
  readonly latin: string | undefined
  /** The same with doubled vowels for those with the mark of a long one, as in "biiru" for ビール, which is "biru" else. */
  readonly prolonged: string | undefined
}

/**
 * Cuts a text into its runs of kana, each with its Latin letters (Hepburn, without and with long vowels), and what is between them.
 * Where there is Han, hiragana are the ends of words and particles, and are left as they are. Empty if no kana are transcribed.
 */
export function segmentKana(text: string): KanaSegment[] {
  if (!MAY_HAVE_KANA.test(text)) return []
  const composed = text.normalize('NFKC')
  const hasHan = HAN.test(composed)
  const segments: KanaSegment[] = []
  const addBetween = (start: number, end: number) => {
    if (start < end) segments.push({ text: composed.slice(start, end), latin: undefined, prolonged: undefined })
  }
  let end = 0
  for (const { 0: run, index } of composed.matchAll(KANA_RUN)) {
    const latin = hasHan && HIRAGANA.test(run) ? '' : transcribeRun(run, false)
    // A prolonged sound mark or a small tsu has no sound of its own.
    if (latin === '') continue
    addBetween(end, index)
    segments.push({ text: run, latin, prolonged: run.includes(PROLONGED) ? transcribeRun(run, true) : latin })
    end = index + run.length
  }
  if (segments.length > 0) addBetween(end, composed.length)
  return segments
}

/** The kana words of a text in Latin letters. */
export function transcribeKana(text: string): string[] {
  return segmentKana(text).flatMap(({ latin }) => latin ?? [])
}

const KANA_ONLY = /^[\u3041-\u3096\u30a1-\u30fa\u30fc\s\u30fb]+$/

/** A text of kana in Latin letters; empty if it has other letters, too. */
export function transcribeKanaOnly(text: string): string[] {
  return KANA_ONLY.test(text.normalize('NFKC')) ? transcribeKana(text) : []
}

function transcribeRun(run: string, isProlonged: boolean): string {
  const kana = run
    .replace(KATAKANA, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60))
    .replace(SEMIVOWELS, (letter) => (letter === 'う' ? 'わ' : 'や'))
  let latin = ''
  let doubled = false
  for (const letter of kana) {
    const vowel = SMALL_Y[letter] ?? SMALL_VOWELS[letter]
    if (letter === 'っ') doubled = true
    else if (letter === PROLONGED) latin += isProlonged ? (LAST_VOWEL.exec(latin)?.[0] ?? '') : ''
    else if (vowel !== undefined) latin = joinSmallKana(latin, vowel, SMALL_Y[letter] !== undefined)
    else {
      const sound = KANA.get(letter) ?? ''
      latin += doubled && sound !== '' ? (sound.startsWith('ch') ? 't' : sound.charAt(0)) + sound : sound
      doubled = false
    }
  }
  return latin
}

/** A small kana replaces the vowel before it: ki and ya are kya, shi and ya are sha, fu and a are fa. */
function joinSmallKana(latin: string, vowel: string, isY: boolean): string {
  const stem = latin.replace(LAST_VOWEL, '')
  const hasOwnY = /(?:sh|ch|j)$/.test(stem)
  return isY && !hasOwnY ? `${stem}y${vowel}` : stem + vowel
}
