import type { Connector } from './connector.ts'
import { csvConnector } from './csv/csv-connector.ts'
import { mediaActionsConnector } from './media-actions/media-actions-connector.ts'
import { nativeConnector } from './native-connector.ts'
import { tvSearchFeedConnector } from './tv-search-feed/tv-search-feed-connector.ts'

/** Every format that can be imported. A new one is a file of its own and a line here. */
export const CONNECTORS: readonly Connector[] = [
  nativeConnector,
  csvConnector,
  mediaActionsConnector,
  tvSearchFeedConnector,
]
