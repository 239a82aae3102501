import { readFeedLines } from '../../ingest/parse/feed-lines.ts'
import { csvConnector } from '../csv/csv-connector.ts'
import { imdbConnector } from '../imdb/imdb-connector.ts'
import { mediaActionsConnector } from '../media-actions/media-actions-connector.ts'
import { openFileFeed } from '../streams/source-files.ts'
import { top10Connector } from '../top-10/top-10-connector.ts'
import { tvSearchFeedConnector } from '../tv-search-feed/tv-search-feed-connector.ts'
import type { Connector } from './connector.ts'

/** Native feeds: the lines are the file's own. */
export const nativeConnector: Connector = {
  name: 'native',
  summary: 'native feeds in NDJSON, and answers of the API, plain or gzipped',
  options: {},
  open: (path) => openFileFeed(path, readFeedLines),
}

/** Every format that can be imported. A new one is a file of its own and a line here. */
export const CONNECTORS: readonly Connector[] = [
  nativeConnector,
  csvConnector,
  imdbConnector,
  mediaActionsConnector,
  tvSearchFeedConnector,
  top10Connector,
]
