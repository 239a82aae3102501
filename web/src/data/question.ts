import type { Marquee } from 'marquee-client'

/** Something that the service is asked for. */
export interface Question<T> {
  /** Names what is asked for: questions with the same key have the same answer. */
  readonly key: string
  readonly ask: (signal: AbortSignal, client: Marquee) => Promise<T>
}
