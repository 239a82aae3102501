/** What a link template can be filled with. */
const PLACES = ['id', 'playId', 'type', 'seriesId', 'season', 'episode'] as const

/** The values of an asset that its link is made of. */
export type LinkValues = Partial<Record<(typeof PLACES)[number], string | number | undefined>>

/** What a template must be, if it is not. */
export function refuseTemplate(template: string): string | undefined {
  const needed = `a web address with ${PLACES.map((place) => `{${place}}`).join(', ')} where they belong`
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name)
  const known = names.length > 0 && names.every((name) => PLACES.includes(name as (typeof PLACES)[number]))
  // A link that is the same for everything leads nowhere.
  const isAddress = /^https?:\/\/[^/]/.test(template) && URL.canParse(template.replace(/[{}]/g, ''))
  return known && isAddress && (names.includes('id') || names.includes('playId')) ? undefined : needed
}

/** The link of an asset; what it lacks is left empty. */
export function fillTemplate(template: string, values: LinkValues): string {
  return template.replace(/\{(\w+)\}/g, (_, name: keyof LinkValues) => encodeURIComponent(String(values[name] ?? '')))
}
