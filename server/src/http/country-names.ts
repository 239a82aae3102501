/** A country as people choose it. */
export interface NamedCountry {
  readonly code: string
  readonly name: string
}

const kept = new Map<string, readonly NamedCountry[]>()

/** Countries by their names in a language, in the order of that language. */
export function countryNames(codes: readonly string[], language: string): readonly NamedCountry[] {
  const key = `${language} ${codes.join()}`
  let names = kept.get(key)
  if (names === undefined) {
    // The list changes only when a catalog gets another country.
    if (kept.size > 20) kept.clear()
    const region = new Intl.DisplayNames([language], { type: 'region' })
    names = codes
      .map((code) => ({ code, name: nameOf(region, code) }))
      .sort((a, b) => a.name.localeCompare(b.name, language))
    kept.set(key, names)
  }
  return names
}

function nameOf(region: Intl.DisplayNames, code: string): string {
  try {
    return region.of(code.toUpperCase()) ?? code
  } catch {
    return code
  }
}
