import type { Locale } from '../../model/language.ts'

/** ISO 639-1 codes with their ISO 639-3 codes, in pairs. */
const LANGUAGE_PAIRS =
  'aa aar ab abk ae ave af afr ak aka am amh an arg ar ara as asm av ava ay aym az aze ba bak be bel bg bul bi bis ' +
  'bm bam bn ben bo bod br bre bs bos ca cat ce che ch cha co cos cr cre cs ces cu chu cv chv cy cym da dan de deu ' +
  'dv div dz dzo ee ewe el ell en eng eo epo es spa et est eu eus fa fas ff ful fi fin fj fij fo fao fr fra fy fry ' +
  'ga gle gd gla gl glg gn grn gu guj gv glv ha hau he heb hi hin ho hmo hr hrv ht hat hu hun hy hye hz her ia ina ' +
  'id ind ie ile ig ibo ii iii ik ipk io ido is isl it ita iu iku ja jpn jv jav ka kat kg kon ki kik kj kua kk kaz ' +
  'kl kal km khm kn kan ko kor kr kau ks kas ku kur kv kom kw cor ky kir la lat lb ltz lg lug li lim ln lin lo lao ' +
  'lt lit lu lub lv lav mg mlg mh mah mi mri mk mkd ml mal mn mon mr mar ms msa mt mlt my mya na nau nb nob nd nde ' +
  'ne nep ng ndo nl nld nn nno no nor nr nbl nv nav ny nya oc oci oj oji om orm or ori os oss pa pan pi pli pl pol ' +
  'ps pus pt por qu que rm roh rn run ro ron ru rus rw kin sa san sc srd sd snd se sme sg sag sh hbs si sin sk slk ' +
  'sl slv sm smo sn sna so som sq sqi sr srp ss ssw st sot su sun sv swe sw swa ta tam te tel tg tgk th tha ti tir ' +
  'tk tuk tl tgl tn tsn to ton tr tur ts tso tt tat tw twi ty tah ug uig uk ukr ur urd uz uzb ve ven vi vie vo vol ' +
  'wa wln wo wol xh xho yi yid yo yor za zha zh zho zu zul'

/** Old codes that are still met, and the two that film databases add. */
const LANGUAGE_ALIASES = 'in ind iw heb ji yid jw jav mo ron cn yue'

const languageCodes = `${LANGUAGE_PAIRS} ${LANGUAGE_ALIASES}`.split(' ')
const languageAlpha3 = new Map<string, string>()
const languageAlpha2 = new Map<string, string>()
for (let i = 0; i < languageCodes.length; i += 2) {
  const [short, long] = [languageCodes[i] as string, languageCodes[i + 1] as string]
  languageAlpha3.set(short, long)
  if (!languageAlpha2.has(long)) languageAlpha2.set(long, short)
}

/** Bibliographic codes of ISO 639-2 that differ from those of ISO 639-3. */
const BIBLIOGRAPHIC: Readonly<Record<string, string>> = {
  alb: 'sqi',
  arm: 'hye',
  baq: 'eus',
  bur: 'mya',
  chi: 'zho',
  cze: 'ces',
  dut: 'nld',
  fre: 'fra',
  geo: 'kat',
  ger: 'deu',
  gre: 'ell',
  ice: 'isl',
  mac: 'mkd',
  mao: 'mri',
  may: 'msa',
  per: 'fas',
  rum: 'ron',
  slo: 'slk',
  tib: 'bod',
  wel: 'cym',
}

/** The three-letter code of a language that is given by two or three letters. */
export function toAlpha3Language(code: string): string | undefined {
  const lower = code.toLowerCase()
  if (lower.length === 2) return languageAlpha3.get(lower)
  return /^[a-z]{3}$/.test(lower) ? (BIBLIOGRAPHIC[lower] ?? lower) : undefined
}

/** The two-letter code of a language that is given by two or three letters, if it has one. */
export function toAlpha2Language(code: string): string | undefined {
  const long = toAlpha3Language(code)
  return long === undefined ? undefined : languageAlpha2.get(long)
}

/** A text in a language, given by a tag such as `es-419`, or in one that is not said. */
export interface LocalText {
  readonly language: string | undefined
  readonly text: string
}

/** The two-letter code of the language of a tag. */
export function parseTagLanguage(tag: string | undefined): string | undefined {
  return toAlpha2Language(tag?.split(/[-_]/)[0] ?? '')
}

/** The text in English, else in no particular language, else the first. */
export function preferredText(texts: readonly LocalText[]): string | undefined {
  const found =
    texts.find(({ language }) => parseTagLanguage(language) === 'en') ??
    texts.find(({ language }) => language === undefined) ??
    texts[0]
  return found?.text
}

/** The text of each language; of several variants of a language the first one counts. */
export function textsByLanguage(texts: readonly LocalText[]): ReadonlyMap<string, string> {
  const byLanguage = new Map<string, string>()
  for (const { language, text } of texts) {
    const code = parseTagLanguage(language)
    if (code !== undefined && !byLanguage.has(code)) byLanguage.set(code, text)
  }
  return byLanguage
}

/** What a show is called and about in languages other than English, if in any. */
export function buildTranslations(titles: readonly LocalText[], overviews: readonly LocalText[]): object | undefined {
  const overviewIn = textsByLanguage(overviews)
  const translations = [...textsByLanguage(titles)]
    .filter(([language]) => language !== 'en')
    .map(([language, title]) => [language, { title, overview: overviewIn.get(language) }])
  return translations.length === 0 ? undefined : Object.fromEntries(translations)
}

/** The locale of a language tag such as `en`, `pt-BR`, `es-419` or `zh-Hant-TW`; scripts have no place in one. */
export function parseLocale(tag: string): Locale | undefined {
  const [first = '', ...rest] = tag.trim().split(/[-_]/)
  const language = toAlpha3Language(first)
  if (language === undefined) return undefined
  const region = rest.map(toAlpha3Region).find((code) => code !== undefined)
  return region === undefined ? { language } : { language, region }
}

/** ISO 3166-1 alpha-2 codes with their alpha-3 codes, in pairs. */
const REGION_PAIRS =
  'AD AND AE ARE AF AFG AG ATG AI AIA AL ALB AM ARM AO AGO AQ ATA AR ARG AS ASM AT AUT AU AUS AW ABW AX ALA AZ AZE ' +
  'BA BIH BB BRB BD BGD BE BEL BF BFA BG BGR BH BHR BI BDI BJ BEN BL BLM BM BMU BN BRN BO BOL BQ BES BR BRA BS BHS ' +
  'BT BTN BV BVT BW BWA BY BLR BZ BLZ CA CAN CC CCK CD COD CF CAF CG COG CH CHE CI CIV CK COK CL CHL CM CMR CN CHN ' +
  'CO COL CR CRI CU CUB CV CPV CW CUW CX CXR CY CYP CZ CZE DE DEU DJ DJI DK DNK DM DMA DO DOM DZ DZA EC ECU EE EST ' +
  'EG EGY EH ESH ER ERI ES ESP ET ETH FI FIN FJ FJI FK FLK FM FSM FO FRO FR FRA GA GAB GB GBR GD GRD GE GEO GF GUF ' +
  'GG GGY GH GHA GI GIB GL GRL GM GMB GN GIN GP GLP GQ GNQ GR GRC GS SGS GT GTM GU GUM GW GNB GY GUY HK HKG HM HMD ' +
  'HN HND HR HRV HT HTI HU HUN ID IDN IE IRL IL ISR IM IMN IN IND IO IOT IQ IRQ IR IRN IS ISL IT ITA JE JEY JM JAM ' +
  'JO JOR JP JPN KE KEN KG KGZ KH KHM KI KIR KM COM KN KNA KP PRK KR KOR KW KWT KY CYM KZ KAZ LA LAO LB LBN LC LCA ' +
  'LI LIE LK LKA LR LBR LS LSO LT LTU LU LUX LV LVA LY LBY MA MAR MC MCO MD MDA ME MNE MF MAF MG MDG MH MHL MK MKD ' +
  'ML MLI MM MMR MN MNG MO MAC MP MNP MQ MTQ MR MRT MS MSR MT MLT MU MUS MV MDV MW MWI MX MEX MY MYS MZ MOZ NA NAM ' +
  'NC NCL NE NER NF NFK NG NGA NI NIC NL NLD NO NOR NP NPL NR NRU NU NIU NZ NZL OM OMN PA PAN PE PER PF PYF PG PNG ' +
  'PH PHL PK PAK PL POL PM SPM PN PCN PR PRI PS PSE PT PRT PW PLW PY PRY QA QAT RE REU RO ROU RS SRB RU RUS RW RWA ' +
  'SA SAU SB SLB SC SYC SD SDN SE SWE SG SGP SH SHN SI SVN SJ SJM SK SVK SL SLE SM SMR SN SEN SO SOM SR SUR SS SSD ' +
  'ST STP SV SLV SX SXM SY SYR SZ SWZ TC TCA TD TCD TF ATF TG TGO TH THA TJ TJK TK TKL TL TLS TM TKM TN TUN TO TON ' +
  'TR TUR TT TTO TV TUV TW TWN TZ TZA UA UKR UG UGA UM UMI US USA UY URY UZ UZB VA VAT VC VCT VE VEN VG VGB VI VIR ' +
  'VN VNM VU VUT WF WLF WS WSM XK XKX YE YEM YT MYT ZA ZAF ZM ZMB ZW ZWE'

const regionCodes = REGION_PAIRS.split(' ')
const regionAlpha3 = new Map<string, string>()
const regionAlpha2 = new Map<string, string>()
for (let i = 0; i < regionCodes.length; i += 2) {
  regionAlpha3.set(regionCodes[i] as string, regionCodes[i + 1] as string)
  regionAlpha2.set(regionCodes[i + 1] as string, regionCodes[i] as string)
}

/** The alpha-3 code of a region that is given by two or three letters, or its number in UN M49. */
export function toAlpha3Region(code: string): string | undefined {
  const upper = code.toUpperCase()
  if (/^\d{3}$/.test(upper)) return upper
  return regionAlpha2.has(upper) ? upper : regionAlpha3.get(upper)
}

/** The country, in lower case, that is given by two or three letters, in any case. */
export function parseCountry(code: string): string | undefined {
  const upper = code.trim().toUpperCase()
  // A country that is not in the list may still be one: the list grows old.
  const short = regionAlpha2.get(upper) ?? (upper === 'UK' ? 'GB' : upper)
  return /^[A-Z]{2}$/.test(short) ? short.toLowerCase() : undefined
}
