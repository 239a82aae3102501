import { inspect } from 'node:util'
import type { GivenOptions } from '../../src/connectors/connector.ts'
import { openSource } from '../../src/connectors/registry.ts'
import { type ImportOptions, importFeed } from '../../src/ingest/import-feed.ts'
import type { ImportReport } from '../../src/ingest/import-report.ts'
import type { TestService } from './test-service.ts'

/** A source: its format, path and options. */
export interface SourceInput {
  readonly format: string
  readonly path: string
  readonly options?: GivenOptions
}

/** Imports a source through its connector, as `marquee import` does. */
export async function importSource(
  service: TestService,
  { format, path, options = {} }: SourceInput,
  given: Partial<ImportOptions> = {},
): Promise<ImportReport> {
  const feed = await openSource({ format, path, options }, { catalog: service.ledger.catalog })
  try {
    return await importFeed(feed.lines, service.ledger, { clock: () => service.now, ...given })
  } finally {
    await feed.dispose()
  }
}

/** The records of the native feed that a connector makes of a source, with its problems and notes among them. */
export async function nativeFeed(
  service: TestService,
  { format, path, options = {} }: SourceInput,
): Promise<Record<string, unknown>[]> {
  const feed = await openSource({ format, path, options }, { catalog: service.ledger.catalog })
  try {
    const records: Record<string, unknown>[] = []
    for await (const line of feed.lines()) records.push('text' in line ? JSON.parse(line.text) : { ...line })
    return records
  } finally {
    await feed.dispose()
  }
}

/** Records as text for a golden file, in few lines, so that a diff is readable. */
export function formatGolden(records: readonly object[]): string {
  const withoutGaps = JSON.parse(JSON.stringify(records)) as object[]
  const shape = { depth: null, breakLength: 120, compact: 4, maxArrayLength: null, maxStringLength: null }
  return `${withoutGaps.map((record) => inspect(record, shape)).join('\n\n')}\n`
}
