import Type from '../../lib/json-schema.ts'
import { defineEndpoint, omitUndefined } from './endpoint.ts'
import { refTo } from './schemas.ts'
import * as shared from './shared-parameters.ts'
import { resolveCountry } from './shared-parameters.ts'

/** What an export counts for against the quota: a whole one, the rest of one, and what was altered after a token. */
const WHOLE_COST = 100
const REST_COST = 10
const ALTERED_COST = 1

/** All shows of a country as a stream of lines. */
export const exportCatalog = defineEndpoint({
  path: '/catalog/export',
  routes: ['/catalog/export'],
  operationId: 'exportCatalog',
  tag: 'Catalog',
  summary: 'Export a country',
  description:
    'All shows that can be watched in a country, as they are at one moment, one a line (NDJSON); or, with `since`, those ' +
    'that were altered after an earlier export, and those that left. The first line has the token `since` for the next ' +
    'time; the last one says whether the export is complete. A line with `kind` `checkpoint` has a cursor from which an ' +
    `export that was cut off goes on. Counts as ${WHOLE_COST} requests of the quota, with a cursor as ${REST_COST}, with ` +
    '`since` as one. For plans that include exports.',
  pathParameters: Type.Object({}),
  parameters: Type.Object({
    country: shared.country,
    since: Type.Optional(
      Type.String({ description: 'The `since` of an earlier export: only what was altered after it.' }),
    ),
    series_granularity: shared.seriesGranularity('episode'),
    output_language: shared.outputLanguage,
    cursor: Type.Optional(
      Type.String({
        description: 'The cursor of the last line of an export that was cut off; the other parameters stay the same.',
      }),
    ),
  }),
  response: refTo('ExportLine'),
  responseType: 'application/x-ndjson',
  responseDescription: 'Lines of JSON, each by this schema.',
  hasTokens: true,
  cost(query) {
    if (query.kind !== 'export') return 1
    if (query.since !== undefined) return ALTERED_COST
    return query.cursor === undefined ? WHOLE_COST : REST_COST
  },
  toQuery: (given, _path, { names }) => ({
    kind: 'export',
    country: resolveCountry(given.country, names),
    ...omitUndefined({ since: given.since, cursor: given.cursor }),
    granularity: given.series_granularity,
    language: given.output_language,
  }),
})
