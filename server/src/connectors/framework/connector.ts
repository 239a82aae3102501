import type { Catalog } from '../../catalog/catalog.ts'
import type { FeedSource } from '../../ingest/import-feed.ts'
import { UserError } from '../../lib/user-error.ts'

/** An open source: it can be read as a native feed any number of times until it is disposed of. */
export interface OpenFeed {
  /** The lines of the feed, header first. An import reads them twice: to check, then to apply. */
  readonly lines: FeedSource
  /** The share of the source that the current pass has read, from 0 to 1. */
  readonly progress: () => number
  /** Deletes temporary files. */
  dispose(): Promise<void>
}

/** An option of a connector: a flag of `marquee import`, or a member of `options` in `sources.json`. */
export interface ConnectorOption {
  /** Placeholder of the value in help texts, such as `id`; an option without one is a switch. */
  readonly value?: string
  readonly description: string
  readonly required?: true
  /** Describes a valid value if this one is invalid, else returns undefined. */
  readonly validate?: (value: string) => string | undefined
}

/** Option values as the operator gave them: a text, or true for a switch. */
export type GivenOptions = Readonly<Record<string, string | true>>

/** What a connector may use beside the source itself. */
export interface ConnectorContext {
  /** The current catalog: connectors use it to skip unknown titles and to find shows by title. */
  readonly catalog: Catalog
  /** The URL that the source was downloaded from, if it was. */
  readonly web?: WebOrigin
}

/** The URL of a downloaded source, and a function that downloads further pages. */
export interface WebOrigin {
  readonly address: string
  /** Downloads a page and returns the path of the file. */
  readonly fetchPage: (url: string) => Promise<string>
}

/**
 * Converts a source of one format into the lines of a native feed, in bounded memory. Faults of the source become lines
 * too (`FeedLine`): a `problem` marks data that could not be read, so the import removes nothing; a `note` is only
 * reported. Identifying shows, computing changes and guarding removals is left to the importer.
 */
export interface Connector {
  /** The value of `--format`. */
  readonly name: string
  /** What it reads, for help texts. */
  readonly summary: string
  /** By name in camel case; `linkTemplate` is `--link-template` on the command line. */
  readonly options: Readonly<Record<string, ConnectorOption>>
  /** Opens a file or folder. Options are already checked. Rejects with a `ConnectorError` if the source is unusable. */
  open(path: string, options: GivenOptions, context: ConnectorContext): Promise<OpenFeed>
}

/** Thrown when a source or an option is unusable; the message says how to fix it. */
export class ConnectorError extends UserError {
  override readonly name: string = 'ConnectorError'
}
