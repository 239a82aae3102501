import type { OpenFeed } from '../connectors/framework/connector.ts'
import type { FeedSource } from '../ingest/import-feed.ts'
import type { FeedLine } from '../ingest/parse/feed-lines.ts'

/**
 * How far an import has come in its feed. Lines are read ahead of the shows that are taken from them, thousands at a
 * time, so how much of the file was read says little: what counts is where the line of the latest show was.
 */
export class FeedProgress {
  private readonly feed: OpenFeed
  /** Where the reading was at some lines: at each at which it was further than before. */
  private marks: { readonly line: number; readonly part: number }[] = []

  constructor(feed: OpenFeed) {
    this.feed = feed
  }

  /** The lines of the feed, watched in each reading. */
  readonly lines: FeedSource = () => this.watched()

  /** How much of the feed so many shows are, from 0 to 1. Until lines come, how much of the source was read. */
  part(shows: number): number {
    if (this.marks.length === 0) return this.feed.progress()
    // Nearly every line is a show.
    while (this.marks.length > 1 && (this.marks[1]?.line ?? 0) <= shows) this.marks.shift()
    return this.marks[0]?.part ?? 0
  }

  private async *watched(): AsyncGenerator<FeedLine> {
    this.marks = []
    let line = 0
    for await (const one of this.feed.lines()) {
      const part = this.feed.progress()
      if (part !== this.marks.at(-1)?.part) this.marks.push({ line, part })
      line++
      yield one
    }
  }
}
