/** As many alternative titles as a record may have. */
const MAX_ALIASES = 100

/** Longer texts are no titles. */
const MAX_ALIAS_LENGTH = 300

/** Alternative titles without duplicates, empty ones and those that the show has anyway. */
export function listAliases(
  titles: Iterable<string | undefined>,
  known: Iterable<string | undefined>,
): { readonly aliases?: readonly string[] } {
  const printed = new Set([...known].map((title) => title?.trim()))
  const aliases = new Set<string>()
  for (const title of titles) {
    const alias = title?.trim() ?? ''
    if (alias !== '' && alias.length <= MAX_ALIAS_LENGTH && !printed.has(alias)) aliases.add(alias)
  }
  return aliases.size === 0 ? {} : { aliases: [...aliases].slice(0, MAX_ALIASES) }
}
