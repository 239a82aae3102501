export type { AnswerCache, CachedAnswer } from './answer-cache.ts'
export type * from './api-types.ts'
export type { Changes, ChangeWithShow } from './changes.ts'
export type { Countries } from './countries.ts'
export { type EpisodeChoice, episodeLink } from './episode-link.ts'
export { ConnectionError, ContractError, MarqueeError, ServiceError } from './errors.ts'
export type { Genres } from './genres.ts'
export type { KeySource } from './key-source.ts'
export { Marquee } from './marquee.ts'
export {
  cheapestOffer,
  isLeavingSoon,
  offersByType,
  offersIn,
  type SoonOptions,
  type ViewerOptions,
  type Watchable,
} from './offers.ts'
export type { CallOptions, MarqueeOptions, WalkOptions } from './options.ts'
export type { Page, Paged } from './paged.ts'
export type { Quota } from './quota.ts'
export type { Shows } from './shows.ts'
