import codes from './language-codes.json' with { type: 'json' }

/** ISO 639-1 to ISO 639-3 and back. The aliases are withdrawn codes, and `cn`, which film databases use for Cantonese. */
const alpha3ByAlpha2 = new Map<string, string>()
const alpha2ByAlpha3 = new Map<string, string>()
for (const table of [codes.alpha3ByAlpha2, codes.alpha2Aliases]) {
  for (const [alpha2, alpha3] of Object.entries(table)) {
    alpha3ByAlpha2.set(alpha2, alpha3)
    if (!alpha2ByAlpha3.has(alpha3)) alpha2ByAlpha3.set(alpha3, alpha2)
  }
}

/** ISO 639-2/B codes that differ from those of ISO 639-3. */
const bibliographic: ReadonlyMap<string, string> = new Map(Object.entries(codes.bibliographic))

/** The ISO 639-3 code of a language code of two or three letters, in any case. */
export function toAlpha3Language(code: string): string | undefined {
  const lower = code.toLowerCase()
  if (lower.length === 2) return alpha3ByAlpha2.get(lower)
  return /^[a-z]{3}$/.test(lower) ? (bibliographic.get(lower) ?? lower) : undefined
}

/** The ISO 639-1 code of a language code of two or three letters; undefined for a language without one. */
export function toAlpha2Language(code: string): string | undefined {
  const alpha3 = toAlpha3Language(code)
  return alpha3 === undefined ? undefined : alpha2ByAlpha3.get(alpha3)
}

/** All ISO 639-1 codes, and the aliases. */
export function listAlpha2Languages(): string[] {
  return [...alpha3ByAlpha2.keys()]
}
