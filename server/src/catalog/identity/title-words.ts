/* Words that say nothing about which work is meant. Numbers, articles and abbreviations are those of title search. */

/** Words for "and"; "&" and "+" are written for each of them. */
export const CONNECTIVES: ReadonlySet<string> = new Set('and und et och og ve y e en'.split(' '))

/** Words before the number of a part; "Part 2", "Vol. 2" and "2" are the same. */
export const PART_WORDS: ReadonlySet<string> = new Set(
  'part volume chapter book episode ep teil parte partie capitulo kapitel tome no nr number'.split(' '),
)

/** Words that are shortened at the end of a title, too. */
export const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['jr', 'junior'],
  ['bros', 'brothers'],
])

/** Words that name a version of a work, not another work: `(Director's Cut)`, `[4K UHD]`, `(Hindi Dubbed)`. */
export const VERSION_WORDS: ReadonlySet<string> = new Set(
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
export const VERSION_MARKS: ReadonlySet<string> = new Set(
  'extended unrated uncut uncensored theatrical cut edition remastered restored version dubbed subbed subtitled 4k uhd imax'.split(
    ' ',
  ),
)

/** Countries in brackets after a title: two versions of a format, such as `The Office (U.S.)` and `(UK)`. */
export const COUNTRY_MARKS: ReadonlyMap<string, string> = new Map(
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
export const SEASON_MARK = new RegExp(
  `^(?:(?:the )?(?:${ORDINAL} )*${SEASON}(?: ${COUNT}(?: (?:to )?${COUNT})?)?|(?:the )?(?:${ORDINAL} )+series|` +
    `series ${COUNT}|s ?\\d{1,2}(?: ?e ?\\d{1,3})?|(?:an? |the )?(?:limited|mini|original|new) ?series|miniseries)$`,
)

/** The number of a season at the end of a title without a separator. */
export const TRAILING_SEASON = new RegExp(` (?:${SEASON} ${COUNT}|s\\d{1,2})$`)
