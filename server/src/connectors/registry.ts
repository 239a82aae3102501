import { readFeedLines } from '../ingest/parse/feed-lines.ts'
import { amazonCdfConnector } from './amazon-cdf/amazon-cdf-connector.ts'
import { appleUmcConnector } from './apple-umc/apple-umc-connector.ts'
import { csvConnector } from './csv/csv-connector.ts'
import type { Connector } from './framework/connector.ts'
import { imdbConnector } from './imdb/imdb-connector.ts'
import { mediaActionsConnector } from './media-actions/media-actions-connector.ts'
import { openFileFeed } from './streams/source-files.ts'
import { top10Connector } from './top-10/top-10-connector.ts'
import { tvSearchFeedConnector } from './tv-search-feed/tv-search-feed-connector.ts'
import { wikidataConnector } from './wikidata/wikidata-connector.ts'

/** Native feeds need no conversion: their lines pass through. */
const nativeConnector: Connector = {
  name: 'native',
  summary: 'native feeds in NDJSON, and answers of the API, plain or gzipped',
  options: {},
  open: (path) => openFileFeed(path, readFeedLines),
}

/** All import formats. A new format is a folder beside `csv/` that exports a `Connector`, and a line here. */
export const CONNECTORS: readonly Connector[] = [
  nativeConnector,
  csvConnector,
  imdbConnector,
  mediaActionsConnector,
  tvSearchFeedConnector,
  top10Connector,
  wikidataConnector,
  appleUmcConnector,
  amazonCdfConnector,
]

/** The connector of a format. */
export function findConnector(format: string): Connector | undefined {
  return CONNECTORS.find(({ name }) => name === format)
}

/** The names of all formats, for error messages. */
export function listFormats(): string {
  return CONNECTORS.map(({ name }) => name).join(', ')
}
