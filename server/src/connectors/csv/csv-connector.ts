import { readFileSync } from 'node:fs'
import { describeSystemError } from '../../lib/system-error.ts'
import { type Connector, ConnectorError } from '../connector.ts'
import { fileFeed } from '../file-feed.ts'
import { csvFeed } from './csv-feed.ts'
import { type CsvMapping, readCsvMapping } from './csv-mapping.ts'

/** Tables whose columns a mapping gives a meaning. */
export const csvConnector: Connector = {
  name: 'csv',
  summary: 'tables, one offer a row, plain or gzipped',
  options: {
    mapping: { value: 'file', description: 'JSON file that maps the columns to fields', required: true },
  },
  open: async (path, { mapping }) => {
    const read = readMapping(String(mapping))
    return fileFeed(path, (stream) => csvFeed(stream, read))
  },
}

function readMapping(path: string): CsvMapping {
  try {
    return readCsvMapping(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new ConnectorError(
      `the mapping ${path} cannot be used: ${describeSystemError(error) ?? (error as Error).message}`,
    )
  }
}
