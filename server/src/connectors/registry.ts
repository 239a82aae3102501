import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describeSystemError } from '../lib/errors.ts'
import {
  COUNTRIES_OPTION,
  type Connector,
  type ConnectorContext,
  ConnectorError,
  checkOptions,
  type GivenOptions,
  type OpenFeed,
  SERVICE_NAME_OPTION,
  SERVICE_OPTION,
} from './connector.ts'
import { CSV_OPTIONS } from './csv/csv-options.ts'
import { findTemplateProblem, LINK_PLACEHOLDERS } from './records/streaming-options.ts'
import { openNativeFeed } from './streams/source-files.ts'

/*
 * What a format is called and which options it has is here. The code that reads it is loaded when a source of it is opened:
 * most commands need the names and options alone.
 */

/** Native feeds need no conversion: their lines pass through. */
const nativeConnector: Connector = {
  name: 'native',
  summary: 'native feeds in NDJSON, and answers of the API, plain or gzipped',
  options: {},
  open: openNativeFeed,
}

const amazonCdfConnector: Connector = {
  name: 'amazon-cdf',
  summary: "catalogs in Amazon's catalog data format (XML, versions 1.0 to 1.11), a file or a folder, plain or gzipped",
  options: {
    linkTemplate: {
      value: 'url',
      description: 'address of what is watched, such as https://acme.example/watch/{id}; the format has no links',
      required: true,
      validate: (template) => findTemplateProblem(template, LINK_PLACEHOLDERS['amazon-cdf'], ['id', 'launchId']),
    },
    service: { ...SERVICE_OPTION, description: `${SERVICE_OPTION.description}; otherwise named after its partner` },
    serviceName: { ...SERVICE_NAME_OPTION, description: `${SERVICE_NAME_OPTION.description}; otherwise the partner` },
  },
  open: async (...given) => (await import('./amazon-cdf/amazon-cdf-connector.ts')).openAmazonCdf(...given),
}

const appleUmcConnector: Connector = {
  name: 'apple-umc',
  summary: "a folder with Apple's catalog and availability feeds (UMC, XML), plain or gzipped",
  options: {
    service: { ...SERVICE_OPTION, required: true },
    serviceName: SERVICE_NAME_OPTION,
    countries: {
      ...COUNTRIES_OPTION,
      description: 'countries of availability feeds whose file names do not end in one; otherwise those of the catalog',
    },
  },
  open: async (...given) => (await import('./apple-umc/apple-umc-connector.ts')).openAppleUmc(...given),
}

const csvConnector: Connector = {
  name: 'csv',
  summary: 'tables, one offer a row, plain or gzipped; --guess makes the mapping',
  options: CSV_OPTIONS,
  open: async (...given) => (await import('./csv/csv-connector.ts')).openCsv(...given),
}

const imdbConnector: Connector = {
  name: 'imdb',
  summary: 'a folder with the IMDb data sets (TSV, plain or gzipped), which enrich shows that are known by IMDb id',
  options: {
    link: { description: 'also give shows without an IMDb id theirs, by title, year and type' },
    create: { description: 'also make shows of all movies and series; implies --link' },
  },
  open: async (...given) => (await import('./imdb/imdb-connector.ts')).openImdb(...given),
}

const mediaActionsConnector: Connector = {
  name: 'media-actions',
  summary: 'Media Actions feeds (schema.org JSON-LD), a file or a folder of files, plain or gzipped',
  options: {
    service: { ...SERVICE_OPTION, description: `${SERVICE_OPTION.description}; otherwise named after its web site` },
    serviceName: SERVICE_NAME_OPTION,
    countries: COUNTRIES_OPTION,
  },
  open: async (...given) => (await import('./media-actions/media-actions-connector.ts')).openMediaActions(...given),
}

const top10Connector: Connector = {
  name: 'top-10',
  summary: 'the table of weekly top tens by country (TSV, plain or gzipped), as top lists of the latest week',
  options: {
    service: {
      ...SERVICE_OPTION,
      description: `${SERVICE_OPTION.description}; netflix unless given for top-10`,
    },
  },
  open: async (...given) => (await import('./top-10/top-10-connector.ts')).openTop10(...given),
}

const tvSearchFeedConnector: Connector = {
  name: 'tv-search-feed',
  summary: 'search feeds for TV devices (JSON, version 1), the first page or a folder of pages, plain or gzipped',
  options: {
    service: { ...SERVICE_OPTION, required: true },
    linkTemplate: {
      value: 'url',
      description: 'address of what is watched, such as https://acme.example/watch/{id}',
      required: true,
      validate: (template) => findTemplateProblem(template, LINK_PLACEHOLDERS['tv-search-feed'], ['id', 'playId']),
    },
    serviceName: SERVICE_NAME_OPTION,
    countries: COUNTRIES_OPTION,
  },
  open: async (...given) => (await import('./tv-search-feed/tv-search-feed-connector.ts')).openTvSearchFeed(...given),
}

const wikidataConnector: Connector = {
  name: 'wikidata',
  summary: 'JSON results of a query to Wikidata, which give known shows further ids and alternative titles',
  options: {},
  open: async (...given) => (await import('./wikidata/wikidata-connector.ts')).openWikidata(...given),
}

/** All import formats. A new format is a folder beside `csv/` that exports its `open`, and a line here. */
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

/** A source to open: where it is, its format and the options of the format. */
interface SourceInput {
  /** A file, a folder, a pipe, or `-` for standard input. Streams are buffered in a file, since they are read twice. */
  readonly path: string
  /** The name of a connector. */
  readonly format: string
  readonly options: GivenOptions
}

/** Opens a source as a native feed. Rejects with a `ConnectorError` for an unknown format, bad options or a bad source. */
export async function openSource({ path, format, options }: SourceInput, context: ConnectorContext): Promise<OpenFeed> {
  const connector = findConnector(format)
  if (connector === undefined) {
    throw new ConnectorError(`There is no format "${format}"; the formats are ${listFormats()}`)
  }
  checkOptions(connector, options)
  const stream = await openPipe(path)
  if (stream === undefined) {
    const feed = await connector.open(path, options, context).catch(rethrowWithPath(path))
    return withPathInErrors(path, feed)
  }
  const folder = await mkdtemp(join(tmpdir(), 'marquee-feed-'))
  const removeFolder = () => rm(folder, { recursive: true })
  try {
    const file = join(folder, 'feed')
    await pipeline(stream, createWriteStream(file))
    const feed = await connector.open(file, options, context)
    return { ...withPathInErrors(path, feed), dispose: () => feed.dispose().finally(removeFolder) }
  } catch (error) {
    await removeFolder()
    return rethrowWithPath(path)(error as Error)
  }
}

/** The stream behind a path that can be read only once: standard input or a named pipe. */
async function openPipe(path: string): Promise<Readable | undefined> {
  if (path === '-') return process.stdin
  const stats = await stat(path).catch(() => undefined)
  return stats?.isFIFO() === true ? createReadStream(path) : undefined
}

/** Wraps a feed so that errors thrown while it is read name its path. */
function withPathInErrors(path: string, feed: OpenFeed): OpenFeed {
  const lines: OpenFeed['lines'] = async function* () {
    try {
      yield* feed.lines()
    } catch (error) {
      rethrowWithPath(path)(error as Error)
    }
  }
  return { ...feed, lines, progress: () => feed.progress(), dispose: () => feed.dispose() }
}

const rethrowWithPath = (path: string) => (error: Error) => {
  const reason = error instanceof ConnectorError ? error.message : describeSystemError(error)
  throw reason === undefined ? error : new ConnectorError(`The feed ${path} cannot be read: ${reason}`)
}
