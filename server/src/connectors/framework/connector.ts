import type { Catalog } from '../../catalog/catalog.ts'
import type { FeedSource } from '../../ingest/import-feed.ts'
import { UserError } from '../../lib/user-error.ts'

/** A source that is ready to be read as a native feed, as often as needed, until it is disposed of. */
export interface OpenFeed {
  /** The feed's lines, its header first. An import reads them twice: to check, then to apply. */
  readonly lines: FeedSource
  /** How much of the source has been read in the current reading, from 0 to 1. */
  readonly progress: () => number
  /** Lets go of temporary files. */
  dispose(): Promise<void>
}

/** What a connector may be told beyond where its source lies. */
export interface ConnectorOption {
  /** What stands for the value in help texts, such as `id`; an option without one is a switch. */
  readonly value?: string
  readonly description: string
  readonly required?: true
  /** What a value must be, if this one is not. */
  readonly validate?: (value: string) => string | undefined
}

/** OptionsByCountry as they were given: a text, or true for a switch. */
export type GivenOptions = Readonly<Record<string, string | true>>

/** What a connector can look up or ask for while it reads. */
export interface ConnectorContext {
  /** What is known already: connectors may leave out what nobody asked for, or find shows by title. */
  readonly catalog: Catalog
  /** Where the source was fetched from, if it was. */
  readonly web?: WebOrigin
}

/** The address of a source on the web, and how further pages of it are had. */
export interface WebOrigin {
  readonly address: string
  /** Brings a page as the path of a file. */
  readonly fetchPage: (url: string) => Promise<string>
}

/**
 * Turns a source of some format into the lines of a native feed, with memory that does not grow with the source. What
 * is wrong with the source becomes lines too (`FeedLine`): a problem means that something could not be read, so that
 * nothing is removed; a note is merely told. Which shows are meant, what changed and what may be removed is for the
 * importer to say.
 */
export interface Connector {
  /** What `--format` calls it. */
  readonly name: string
  /** What it reads, for help texts. */
  readonly summary: string
  /** By name, in camel case; `linkTemplate` is `--link-template` on the command line. */
  readonly options: Readonly<Record<string, ConnectorOption>>
  /** Opens what lies at a path. OptionsByCountry have been checked. Rejects with a `ConnectorError` for what cannot be used. */
  open(path: string, options: GivenOptions, context: ConnectorContext): Promise<OpenFeed>
}

/** Thrown when a source cannot be read as asked for: the message says what would be right. */
export class ConnectorError extends UserError {
  override readonly name: string = 'ConnectorError'
}
