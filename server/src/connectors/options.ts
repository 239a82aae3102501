/** An option as a native feed states it. */
export type Option = Readonly<Record<string, unknown>>

/** Options by country, as a native feed states them. */
export type Options = Record<string, Option[]>

/** Options to be added to. What a source calls a country may be any text, so nothing is inherited. */
export function noOptions(): Options {
  return Object.create(null) as Options
}

/** Adds an option in some countries. */
export function addOption(options: Options, countries: Iterable<string>, option: Option): void {
  for (const country of countries) {
    const list = options[country]
    if (list === undefined) options[country] = [option]
    else list.push(option)
  }
}
