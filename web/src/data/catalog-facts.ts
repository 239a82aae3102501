/** What the service says of its catalog in the page itself, so that nothing has to be asked for first. */
export interface CatalogFacts {
  /** Whether the catalog is the demo, whose availability is invented. */
  readonly isDemo: boolean
  /** ISO 3166-1 codes of the countries, in lower case. */
  readonly countries: readonly string[]
  /** What the sources of the catalog want to be said wherever their data is shown. */
  readonly attributions: readonly { readonly text: string; readonly link?: string }[]
}

const NOTHING: CatalogFacts = { isDemo: false, countries: [], attributions: [] }

/** The facts that came with the page. */
export const catalogFacts: CatalogFacts = read()

function read(): CatalogFacts {
  const content = document.querySelector<HTMLMetaElement>('meta[name="marquee-catalog"]')?.content
  return content ? { ...NOTHING, ...(JSON.parse(content) as Partial<CatalogFacts>) } : NOTHING
}
