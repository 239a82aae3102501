export type * from './api-types.ts'
export type { Catalog, Exported } from './catalog.ts'
export type { ChangeStreamParameters, ChangeWithToken } from './change-stream.ts'
export type { KeySource } from './credentials.ts'
export { ConnectionError, ContractError, MarqueeError, ServiceError } from './errors.ts'
export {
  type Changes,
  type ChangesSince,
  type ChangesSinceParameters,
  type ChangeWithShow,
  type Chosen,
  type Countries,
  type DeepPartial,
  type Genres,
  Marquee,
  type People,
  type Shows,
} from './marquee.ts'
export type { FollowOptions, Mirror, MirrorCopy, MirrorOptions, MirrorParameters, MirrorSync } from './mirror.ts'
export {
  cheapestOffer,
  type EpisodeChoice,
  episodeLink,
  isLeavingSoon,
  offersByType,
  offersIn,
  type SoonOptions,
  type ViewerOptions,
  type Watchable,
} from './offers.ts'
export type { AnswerCache, CachedAnswer, CallOptions, MarqueeOptions, WalkOptions } from './options.ts'
export type { Page, Paged } from './paged.ts'
export type { Quota } from './response.ts'
