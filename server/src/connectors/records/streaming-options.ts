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
