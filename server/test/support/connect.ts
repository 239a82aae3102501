import { inspect } from 'node:util'
import type { GivenOptions } from '../../src/connectors/framework/connector.ts'
import { openSource } from '../../src/connectors/framework/open-source.ts'
import { type ImportOptions, importFeed } from '../../src/ingest/import-feed.ts'
import type { ImportReport } from '../../src/ingest/import-report.ts'
import type { TestService } from './test-service.ts'

/** What is read, by which connector and with which options. */
export interface Connected {
  readonly format: string
  readonly path: string
  readonly options?: GivenOptions
}

/** Imports a source through a connector, as the command does. */
export async function importSource(
  service: TestService,
  { format, path, options = {} }: Connected,
  given: Partial<ImportOptions> = {},
): Promise<ImportReport> {
  const feed = await openSource({ format, path, options }, { catalog: service.ledger.catalog })
  try {
    return await importFeed(feed.lines, service.ledger, { clock: () => service.now, ...given })
  } finally {
    await feed.dispose()
  }
}

/** The native feed that a connector makes of a source, a record a line; problems and notes come as they are. */
export async function nativeFeed(
  service: TestService,
  { format, path, options = {} }: Connected,
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

/** Records as a golden file holds them: one after the other, in few lines, so that a change can be read. */
export function golden(records: readonly object[]): string {
  const withoutGaps = JSON.parse(JSON.stringify(records)) as object[]
  const shape = { depth: null, breakLength: 120, compact: 4, maxArrayLength: null, maxStringLength: null }
  return `${withoutGaps.map((record) => inspect(record, shape)).join('\n\n')}\n`
}
