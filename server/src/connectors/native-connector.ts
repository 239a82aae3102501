import { readFeedLines } from '../ingest/parse/feed-lines.ts'
import type { Connector } from './connector.ts'
import { fileFeed } from './file-feed.ts'

/** Native feeds: the lines are the file's own. */
export const nativeConnector: Connector = {
  name: 'native',
  summary: 'native feeds in NDJSON, and answers of the API, plain or gzipped',
  options: {},
  open: (path) => fileFeed(path, readFeedLines),
}
