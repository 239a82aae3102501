import type { Connector } from './connector.ts'
import { csvConnector } from './csv/csv-connector.ts'
import { imdbConnector } from './imdb/imdb-connector.ts'
import { mediaActionsConnector } from './media-actions/media-actions-connector.ts'
import { nativeConnector } from './native-connector.ts'
import { top10Connector } from './top-10/top-10-connector.ts'
import { tvSearchFeedConnector } from './tv-search-feed/tv-search-feed-connector.ts'

/** Every format that can be imported. A new one is a file of its own and a line here. */
export const CONNECTORS: readonly Connector[] = [
  nativeConnector,
  csvConnector,
  imdbConnector,
  mediaActionsConnector,
  tvSearchFeedConnector,
  top10Connector,
]
