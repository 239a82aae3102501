import Type from '../../lib/json-schema.ts'
import { PAST_CHANGE_TYPES } from '../../model/change.ts'
import { ITEM_TYPES } from '../../model/show.ts'
import { SINCE_NOW } from '../../query/changes/changes-since.ts'
import { defineEndpoint, omitUndefined } from './endpoint.ts'
import { refTo } from './schemas.ts'
import * as shared from './shared-parameters.ts'
import { resolveCatalogs, resolveCountry } from './shared-parameters.ts'

/** Past changes as they are committed, as server-sent events. */
export const streamChanges = defineEndpoint({
  path: '/changes/stream',
  routes: ['/changes/stream'],
  operationId: 'streamChanges',
  tag: 'Changes',
  summary: 'Stream changes',
  description:
    'What is new, updated or removed in the catalogs of a country, as it becomes known, as server-sent events without end. ' +
    'An event `change` has a change with its show; its `id` is a token, the same as `since` of `/changes`. With that token ' +
    'in the header `Last-Event-ID`, or in `since`, a new stream goes on behind it: nothing is missed and nothing comes ' +
    'twice. An event `expired` is sent before the stream ends if what follows is no longer kept. Comments and ids without ' +
    'an event come every 15 seconds. Opening a stream counts as one request.',
  pathParameters: Type.Object({}),
  parameters: Type.Object({
    country: shared.country,
    change_type: Type.Array(Type.Enum(PAST_CHANGE_TYPES, { type: 'string' }), {
      minItems: 1,
      description: 'What happened (`new`, `updated`, `removed`); one or several.',
      examples: [['new']],
    }),
    item_type: shared.changedItemTypes,
    catalogs: Type.Optional(shared.catalogs),
    show_type: Type.Optional(shared.showType),
    since: Type.Optional(
      Type.String({
        description:
          'Where to begin: the `since` of an answer of `/changes`, of an export, or the id of an event. `now` by default. The ' +
          'header `Last-Event-ID` takes precedence.',
        examples: ['now'],
      }),
    ),
    output_language: shared.outputLanguage,
  }),
  response: refTo('StreamedChange'),
  responseType: 'text/event-stream',
  responseDescription: 'Events; the data of those named `change` are by this schema.',
  hasTokens: true,
  toQuery(given, _path, context) {
    const country = resolveCountry(given.country, context.names)
    return {
      kind: 'changes-stream',
      country,
      changeTypes: PAST_CHANGE_TYPES.filter((type) => given.change_type.includes(type)),
      itemTypes: ITEM_TYPES.filter((type) => given.item_type.includes(type)),
      catalogs: given.catalogs === undefined ? [] : resolveCatalogs(given.catalogs, country, context),
      ...omitUndefined({ showType: given.show_type }),
      since: given.since ?? SINCE_NOW,
      language: given.output_language,
    }
  },
})
