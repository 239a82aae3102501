/** The two kinds of title that TMDB has, as its paths name them. */
export const TITLE_KINDS = ['movie', 'tv'] as const
export type TitleKind = (typeof TITLE_KINDS)[number]

/** A title as TMDB's paths name it, which is also the form of a TMDB id in the catalog: `movie/238`, `tv/1396`. */
export type TitleKey = `${TitleKind}/${number}`

export function titleKey(kind: TitleKind, id: number): TitleKey {
  return `${kind}/${id}`
}

export function keyParts(key: TitleKey): { readonly kind: TitleKind; readonly id: number } {
  const [kind, id] = key.split('/') as [TitleKind, string]
  return { kind, id: Number(id) }
}
