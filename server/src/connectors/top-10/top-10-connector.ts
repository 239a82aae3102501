import type { Connector } from '../connector.ts'
import { fileFeed } from '../file-feed.ts'
import { SERVICE_OPTION } from '../service-statement.ts'
import { top10Feed } from './top-10-feed.ts'

/** The service that publishes its top ten as a table. */
const PUBLISHER = 'netflix'

/** Weekly top tens by country, as a table: the titles are found in the service's catalog. */
export const top10Connector: Connector = {
  name: 'top-10',
  summary: 'the table of weekly top tens by country (TSV, plain or gzipped), as top lists of the latest week',
  options: {
    service: { ...SERVICE_OPTION, description: `${SERVICE_OPTION.description}; ${PUBLISHER} unless given for top-10` },
  },
  open: (path, { service = PUBLISHER }, { catalog }) =>
    fileFeed(path, (stream) => top10Feed(stream, String(service), catalog)),
}
