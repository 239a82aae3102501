/** A streaming option of a native record. Its values are unchecked: the importer validates them. */
export type OptionRecord = Readonly<Record<string, unknown>>

/** The `streamingOptions` of a native record. */
export type OptionsByCountry = Record<string, OptionRecord[]>

/** An empty map without a prototype, since a source may name a country `constructor`. */
export function emptyOptions(): OptionsByCountry {
  return Object.create(null) as OptionsByCountry
}

/** Adds an option to each of some countries. */
export function addOption(options: OptionsByCountry, countries: Iterable<string>, option: OptionRecord): void {
  for (const country of countries) {
    const list = options[country]
    if (list === undefined) options[country] = [option]
    else list.push(option)
  }
}

/** The placeholders of the link templates of formats. */
export const LINK_PLACEHOLDERS = {
  'amazon-cdf': ['id', 'launchId', 'type', 'showId', 'season', 'episode'],
  'tv-search-feed': ['id', 'playId', 'type', 'seriesId', 'season', 'episode'],
} as const

/** Fills the placeholders of a link template such as `https://acme.example/watch/{id}`; missing values become empty. */
export function fillTemplate(template: string, getValue: (name: string) => string): string {
  return template.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(getValue(name)))
}

/**
 * Describes a valid template if this one is invalid.
 * @param ids the placeholders of which it needs one: without, all items would have the same link
 */
export function findTemplateProblem(
  template: string,
  placeholders: readonly string[],
  ids: readonly string[],
): string | undefined {
  const needed = `a web address with ${placeholders.map((name) => `{${name}}`).join(', ')} where they belong`
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? '')
  const isKnown = names.length > 0 && names.every((name) => placeholders.includes(name))
  const isUrl = /^https?:\/\/[^/]/.test(template) && URL.canParse(template.replace(/[{}]/g, ''))
  return isKnown && isUrl && ids.some((id) => names.includes(id)) ? undefined : needed
}
