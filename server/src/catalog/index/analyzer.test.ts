import { describe, expect, it } from 'vitest'
import { analyzeTitle, fold, titleInitials, titleVariants, tokenize } from './analyzer.ts'

describe('fold', () => {
  it('removes case and accents', () => {
    expect(fold('Amélie')).toBe('amelie')
    expect(fold('ÇALIKUŞU')).toBe('calikusu')
    expect(fold('İstanbul')).toBe('istanbul')
    expect(fold('ılık')).toBe('ilik')
    expect(fold('Straße')).toBe('strasse')
  })

  it('folds a Latin letter the same way with and without non-Latin neighbours', () => {
    const letters = Array.from({ length: 0x250 - 0xa0 }, (_, i) => String.fromCharCode(0xa0 + i))
    for (const letter of letters) expect(fold(`${letter}я`), letter).toBe(`${fold(letter)}ya`)
    expect(fold(`${letters.join('')}я`)).toBe(`${fold(letters.join(''))}ya`)
  })

  it('removes accents of Cyrillic and Greek, and the points of Arabic, Hebrew and Syriac', () => {
    expect(fold('за́мок ґанок')).toBe('zamok ganok')
    expect(fold('Κυνόδοντας ᾆ')).toBe('kynodontas a')
    expect(fold('مُحَمَّد')).toBe('محمد')
    expect(fold('آأإ')).toBe('ااا')
    expect(fold('שָׁלוֹם')).toBe('שלום')
    expect(fold('ܫܠܳܡܳܐ')).toBe('ܫܠܡܐ')
    expect(fold('♥\ufe0f 葛\udb40\udd00')).toBe('♥ 葛')
  })

  it.each([
    [['दिल', 'दाल', 'दल'], 'Devanagari'],
    [['মা', 'মি', 'মু', 'ম'], 'Bengali'],
    [['காதல்', 'காதலி', 'காதல'], 'Tamil'],
    [['കഥ', 'കാഥ'], 'Malayalam'],
    [['ข้าว', 'ข่าว', 'ขาว'], 'Thai'],
    [['ນ້ຳ', 'ນາ'], 'Lao'],
    [['កំ', 'កា', 'ក'], 'Khmer'],
    [['ދިވެހި', 'ދަވަހަ'], 'Thaana'],
  ])('keeps vowels and tones that are marks: %j, %s', (words) => {
    expect(new Set(words.map(fold)).size).toBe(words.length)
    for (const word of words) {
      expect(tokenize(word).join('')).toContain(fold(word).at(-1))
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) expect(fold(word.normalize(form))).toBe(fold(word))
    }
  })

  it('removes the nukta of Hindi, and has one sign for its nasal vowels', () => {
    expect(fold('ज़िंदगी')).toBe(fold('जिंदगी'))
    expect(fold('माँ')).toBe(fold('मां'))
    expect(fold('ড়')).not.toBe(fold('ড'))
  })

  it('keeps Hangul syllables composed', () => {
    expect(fold('기생충')).toBe('기생충')
  })

  it('writes Cyrillic and Greek in Latin letters', () => {
    expect(fold('Унесённые призраками')).toBe('unesennye prizrakami')
    expect(fold('Щелкунчик')).toBe('shchelkunchik')
    expect(fold('Ο Κυνόδοντας του')).toBe('o kynodontas tou')
  })
})

describe('tokenize', () => {
  it('splits at everything but letters and digits', () => {
    expect(tokenize("The Queen's Gambit: 2nd")).toEqual(['the', 'queen', 's', 'gambit', '2nd'])
  })

  it('splits ASCII text the same way as other text', () => {
    const ascii = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).join('a')
    expect(tokenize(`${ascii} 가`)).toEqual([...tokenize(ascii), '가'])
  })

  it('cuts a script without spaces into bigrams, and its last character', () => {
    expect(tokenize('千と千尋 A')).toEqual(['千と', 'と千', '千尋', '尋', 'a'])
    expect(tokenize('ゴジラ1.0')).toEqual(['ゴジ', 'ジラ', 'ラ', '1', '0'])
    expect(tokenize('千')).toEqual(['千'])
  })

  it('has words with the marks of their letters, and none of marks alone', () => {
    expect(tokenize('दिलवाले दुल्हनिया ले जायेंगे')).toEqual(['दिलवाले', 'दुल्हनिया', 'ले', 'जायेंगे'])
    expect(tokenize('ข้าว')).toEqual(['ข้', '้า', 'าว', 'ว'])
    expect(tokenize('あ゛ ्')).toEqual(['あ'])
  })

  it('tells voiced kana from others, also of half width', () => {
    expect(['ハハ', 'ババ', 'パパ', 'ﾊﾟﾊﾟ', 'ハ\u309aハ\u309a'].map(fold)).toEqual([
      'ハハ',
      'ババ',
      'パパ',
      'パパ',
      'パパ',
    ])
  })
})

describe('titleVariants', () => {
  it('has one key for words written together and apart', () => {
    expect(titleVariants('Spider-Man')).toEqual(['spiderman'])
    expect(titleVariants('Spider Man')).toEqual(['spiderman'])
    expect(titleVariants('The Godfather')).toEqual(['thegodfather'])
  })

  it('keeps a title of punctuation only', () => {
    expect(titleVariants('…!')).toEqual(['...!'])
    expect(titleVariants('   ')).toEqual([])
  })
})

describe('analyzeTitle', () => {
  const keys = (title: string, ...languages: string[]) => [
    ...analyzeTitle(title, languages.length === 0 ? ['en'] : languages).keys,
  ]
  const stripped = (title: string, language = 'en', year?: number) => [
    ...analyzeTitle(title, [language], year).strippedKeys,
  ]
  const words = (title: string, language = 'en') => [...analyzeTitle(title, [language]).words].sort()

  it('has the same key for numbers as digits, words and Roman numerals', () => {
    for (const title of ['Rocky II', 'Rocky 2', 'Rocky Two']) expect(keys(title), title).toContain('rocky2')
    for (const title of ['12 Angry Men', 'Twelve Angry Men']) expect(keys(title), title).toContain('12angrymen')
    expect(keys('Die zwölf Monate', 'de')).toContain('die12monate')
    expect(keys('Les Sept Samouraïs', 'fr')).toContain('les7samourais')
    expect(keys('Dix-sept fois', 'fr')).toContain('17fois')
    expect(keys('Apollo 13')).toEqual(['apollo13'])
  })

  it.each([
    ['Twenty-One Grams', '21grams'],
    ['One Hundred and One Dalmatians', '101dalmatians'],
    ['A Thousand and One Nights', 'a1001nights'],
    ['Ten Thousand BC', '10000bc'],
    ['Two and a Half Men', '2andahalfmen'],
    ['One Two Three', '123'],
    ['Nine-Nine', '99'],
    ['The Hundred', 'the100'],
    ['Zero Dark Thirty', '0dark30'],
    ['The Sixth Sense', 'the6thsense'],
  ])('reads the English number in %s', (title, key) => {
    expect(keys(title)).toContain(key)
  })

  it('takes a single letter at the start for a word, not for a Roman numeral', () => {
    expect(keys('I, Robot')).toEqual(['irobot'])
    expect(keys('X-Men')).toEqual(['xmen'])
    expect(keys('Malcolm X')).toEqual(['malcolmx', 'malcolm10'])
  })

  it('takes an and sign for "and" in the language of the title, and for nothing', () => {
    expect(keys('Fast & Furious')).toEqual(['fastfurious', 'fastandfurious'])
    expect(keys('Fast and Furious')).toEqual(['fastandfurious'])
    expect(keys('Astérix & Obélix', 'fr')).toContain('asterixandobelix')
    expect(keys('Astérix et Obélix', 'fr')).toContain('asterixandobelix')
    expect(keys('E.T.', 'fr')).toEqual(['et'])
  })

  it('strips an article of the language', () => {
    expect(stripped('The Godfather')).toEqual(['godfather'])
    expect(stripped('Das Boot', 'de')).toEqual(['boot'])
    expect(stripped('Das Boot')).toEqual([])
    expect(stripped("L'Avventura", 'it')).toEqual(['avventura'])
    expect(stripped('Die Hard')).toEqual([])
  })

  it('reads an article at the end as one at the start', () => {
    expect(keys('Godfather, The')).toContain('thegodfather')
    expect(stripped('Godfather, The')).toEqual(['godfather'])
  })

  it('strips a year that is the year of the show', () => {
    expect(stripped('The Thing (1982)', 'en', 1982)).toEqual(['thing1982', 'thething', 'thing'])
    expect(stripped('Blade Runner (2049)', 'en', 2017)).toEqual([])
  })

  it('has words with punctuation as a space, and dropped', () => {
    expect(words("Ocean's Eleven")).toEqual(['11', 'eleven', 'ocean', 'oceans', 's'])
    expect(words('Spider-Man')).toEqual(['man', 'spider', 'spiderman'])
  })

  it('has Japanese kana in Latin letters, too', () => {
    expect(keys('となりのトトロ', 'ja')).toContain('tonarinototoro')
    expect(words('となりのトトロ', 'ja')).toEqual(expect.arrayContaining(['tonarino', 'totoro']))
    expect(words('カウボーイビバップ', 'ja')).toContain('kauboibibappu')
    expect(words('シャーマンキング', 'ja')).toContain('shamankingu')
    expect(words('ファイト', 'ja')).toContain('faito')
    expect(words('鋼の錬金術師', 'ja')).not.toContain('no')
    expect(keys('シークヮーサー', 'ja')).toContain('shikwasa')
    expect(words('ウィザード', 'ja')).toContain('wizado')
    expect(words('ウェンズデー', 'ja')).toContain('wenzude')
    expect(words('スター・ウォーズ', 'ja')).toContain('wozu')
    expect(words('イェスタデイ', 'ja')).toContain('yesutadei')
    expect(words('キウイ', 'ja')).toContain('kiui')
  })

  it.each([
    ['ドラゴンボールZ', 'doragonboruz'],
    ['ゴジラ-1.0', 'gojira10'],
    ['ゴジラ2000 ミレニアム', 'gojira2000mireniamu'],
    ['X-ファイル', 'xfairu'],
    ['スター・ウォーズ', 'sutawozu'],
    ['ロッキーII', 'rokki2'],
    ['ナルト＆ボルト', 'narutoandboruto'],
    ['ﾄﾞﾗｺﾞﾝﾎﾞｰﾙZ', 'doragonboruz'],
    ['ﾅﾙﾄ', 'naruto'],
    ['か\u3099んは\u3099れ', 'ganbare'],
    ['ナルト 疾風伝', 'naruto疾風伝'],
    ['ハウルの動く城', 'hauruの動く城'],
    ['新世紀エヴァンゲリオン', '新世紀evangerion'],
    ['ナルト 나루토', 'naruto나루토'],
    ['Наруто 疾風伝', 'naruto疾風伝'],
    ['Брат 2', 'brat2'],
    ['Ζορμπάς II', 'zormpas2'],
    ['Ζ ゼット', 'zzetto'],
  ])('has the whole of %s in its transcribed key', (title, key) => {
    expect(keys(title, 'ja')).toContain(key)
  })

  it('has long vowels as people type them, with one letter and with two', () => {
    expect(titleVariants('ビール')).toEqual(['ビール', 'biru', 'biiru'])
    expect(titleVariants('ビル')).toEqual(['ビル', 'biru'])
    expect(titleVariants('とうきょう')).toEqual(['とうきょう', 'toukyou'])
    expect(titleVariants('トーキョー')).toEqual(['トーキョー', 'tokyo', 'tookyoo'])
    expect(titleVariants('シークヮーサー')).toEqual(['シークヮーサー', 'shikwasa', 'shiikwaasaa'])
    expect(titleVariants('ンー')).toEqual(['ンー', 'n'])
    expect(words('ザ・ムービー', 'ja')).toEqual(expect.arrayContaining(['za', 'mubi', 'muubii']))
  })

  it('has no key of the transcribed part of a title', () => {
    expect(titleVariants('ナルト 疾風伝')).toEqual(['ナルト疾風伝', 'naruto疾風伝'])
    expect(titleVariants('ドラゴンボールZ')).toEqual(['ドラゴンボールz', 'doragonboruz', 'doragonbooruz'])
    expect(titleVariants('進撃の巨人')).toEqual(['進撃の巨人'])
    expect(titleVariants('斬ッ')).toEqual(['斬ッ'])
    expect(titleVariants('ー')).toEqual(['ー'])
    expect(titleVariants('霞ヶ関')).toEqual(['霞ヶ関'])
  })

  it('has the transcribed words of a title with other words, also together', () => {
    expect(words('ナルト 疾風伝', 'ja')).toContain('naruto')
    expect(words('ドラゴンボールZ', 'ja')).toEqual(expect.arrayContaining(['doragonboru', 'z']))
    expect(words('THE BATMAN-ザ・バットマン-', 'ja')).toEqual(expect.arrayContaining(['za', 'battoman', 'zabattoman']))
    expect(words('ロッキーII', 'ja')).toEqual(expect.arrayContaining(['rokki', 'ii', '2']))
    expect(words('新世紀エヴァンゲリオン', 'ja')).not.toContain('紀')
  })

  it('takes no kana for a numeral, a number or an article', () => {
    expect(keys('いい', 'ja')).toEqual(['いい', 'ii'])
    expect(keys('てん', 'en')).toEqual(['てん', 'ten'])
    expect(stripped('ざ・でいす', 'en')).toEqual([])
  })

  it('strips an article and the year of a show from its transcription', () => {
    expect(stripped('ゴジラ (1954)', 'ja', 1954)).toEqual(['ゴジラ', 'gojira'])
    expect(stripped('ゴジラ（1954）', 'ja', 1954)).toEqual(['ゴジラ', 'gojira'])
    expect(stripped('The バットマン', 'en')).toContain('battoman')
  })
})

describe('titleInitials', () => {
  it('are those of titles and subtitles of four words or more, or with a number', () => {
    expect([...titleInitials('The Lord of the Rings: The Return of the King')]).toEqual([
      'tlotr',
      'lotr',
      'trotk',
      'rotk',
    ])
    expect([...titleInitials('How I Met Your Mother')]).toEqual(['himym'])
    expect([...titleInitials('Terminator 2: Judgment Day')]).toEqual(['t2'])
    expect([...titleInitials('Brooklyn Nine-Nine')]).toEqual(['b99'])
    expect([...titleInitials('Game of Thrones')]).toEqual([])
    expect([...titleInitials('1917')]).toEqual([])
  })

  it('have numbers as digits and as letters', () => {
    expect([...titleInitials('The Whole Nine Yards')]).toEqual(['twny', 'wny', 'tw9y', 'w9y'])
    expect([...titleInitials('Close Encounters of the Third Kind')]).toContain('ceottk')
  })
})
