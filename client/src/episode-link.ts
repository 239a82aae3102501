import type { Show, StreamingOptionType } from './api-types.ts'
import { offersIn } from './offers.ts'

/** Which episode, and where it is to be watched. */
export interface EpisodeChoice {
  /** Number of the season, from 1. */
  season: number
  /** Number of the episode in its season, from 1. */
  episode: number
  country: string
  /** Only on this service. */
  service?: string | undefined
  /** Only offers of this type. */
  type?: StreamingOptionType | undefined
}

/**
 * The link that opens an episode: in the player where the service has such links, else its page. Undefined where there is
 * no such offer. The series must have been asked for at granularity `episode`.
 */
export function episodeLink(show: Show, choice: EpisodeChoice): string | undefined {
  const seasons = show.showType === 'series' ? show.seasons : undefined
  const episode = seasons?.[choice.season - 1]?.episodes?.[choice.episode - 1]
  if (episode === undefined) return undefined
  const offer = offersIn(episode, choice.country).find(
    ({ service, type }) =>
      (choice.service === undefined || service.id === choice.service) &&
      (choice.type === undefined || type === choice.type),
  )
  return offer?.videoLink ?? offer?.link
}
