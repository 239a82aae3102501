/** A genre and its names by language. */
export interface Genre {
  readonly id: string
  readonly names: Readonly<Record<string, string>>
}

export function isGenreId(id: string): boolean {
  return /^[a-z0-9_-]{1,64}$/i.test(id)
}

/** The genre's name in a language, else in English, else its id. */
export function genreName(genre: Genre, language: string): string {
  return genre.names[language] ?? genre.names.en ?? genre.id
}
