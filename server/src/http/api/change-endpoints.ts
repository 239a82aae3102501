import Type from '../../lib/json-schema.ts'
import { CHANGE_TYPES, type ChangeType, isFutureChangeType, PAST_CHANGE_TYPES } from '../../model/change.ts'
import { ITEM_TYPES } from '../../model/show.ts'
import { CHANGE_WINDOW_DAYS, endOfDay, SECONDS_PER_DAY, startOfDay } from '../../model/time.ts'
import { SINCE_NOW } from '../../query/changes/changes-search.ts'
import { ApiError } from '../exchange/errors.ts'
import { optionalWithDefault } from '../request/parameter-parser.ts'
import { defineEndpoint, omitUndefined } from './endpoint.ts'
import { refTo } from './schemas.ts'
import { changeShapeParameters, resolveChangeShape } from './shape-parameters.ts'
import * as shared from './shared-parameters.ts'
import { checkOrder, isAnyCountry, resolveCatalogs, resolveCountries, resolveCountry } from './shared-parameters.ts'

const instant = (which: string) =>
  Type.Integer({
    format: 'int64',
    description:
      `${which} (Unix seconds). Past changes: from the start of the day 31 days ago to the end of today; ` +
      'future changes: from the start of today to the end of the day 31 days ahead. Days are UTC.',
  })

/** What changed, or will, in a country's catalogs. */
export const getChanges = defineEndpoint({
  path: '/changes',
  routes: ['/changes'],
  operationId: 'getChanges',
  tag: 'Changes',
  summary: 'Get changes',
  description:
    'What is new, updated, removed, expiring or upcoming in the catalogs of a country, or of several, 25 changes a page, by date. With ' +
    '`since`, what has happened after the answer that the token is from, in the order in which it became known: nothing ' +
    'is missed and nothing comes twice, whatever is imported meanwhile.',
  pathParameters: Type.Object({}),
  parameters: Type.Object({
    country: shared.changeCountries,
    change_type: Type.Array(Type.Enum(CHANGE_TYPES, { type: 'string' }), {
      minItems: 1,
      description:
        'What happened (`new`, `updated`, `removed`) or will happen (`expiring`, `upcoming`); one or several.',
      examples: [['new']],
    }),
    item_type: shared.changedItemTypes,
    catalogs: Type.Optional(shared.catalogs),
    show_type: Type.Optional(shared.showType),
    from: Type.Optional(instant('The earliest change')),
    to: Type.Optional(instant('The latest change')),
    include_unknown_dates: optionalWithDefault(
      Type.Boolean({
        default: false,
        description: 'Whether future changes without a date are answered; they count as timestamp 0.',
      }),
    ),
    since: Type.Optional(
      Type.String({
        description:
          'The `since` of an earlier answer, or of an export: only what has happened after it. `now` answers the token of ' +
          'this moment. For past changes; not together with `from`, `to` and `order_direction`.',
        examples: ['now'],
      }),
    ),
    cursor: Type.Optional(shared.cursor),
    order_direction: Type.Optional(shared.orderDirection('Ascending by default.')),
    output_language: shared.outputLanguage,
    ...changeShapeParameters,
  }),
  response: refTo('ChangesResult'),
  responseDescription: 'A page of changes, and the shows that they are about.',
  daily: true,
  hasTokens: true,
  toQuery(given, _path, context) {
    const { names, now } = context
    // In a fixed order, as the types below: the order of the parameters makes no other answer.
    const countries = [...resolveCountries(given.country, names)].sort()
    const catalogs = given.catalogs === undefined ? [] : resolveCatalogs(given.catalogs, countries, context)
    const changeTypes = CHANGE_TYPES.filter((type) => given.change_type.includes(type))
    const itemTypes = ITEM_TYPES.filter((type) => given.item_type.includes(type))
    const namesCountries = countries.length > 1 || isAnyCountry(given.country) ? (true as const) : undefined
    const { shape, changeFields } = resolveChangeShape(given, context)
    const filters = {
      countries,
      changeTypes,
      itemTypes,
      catalogs,
      namesCountries,
      showType: given.show_type,
      language: given.output_language,
      shape,
      changeFields,
    }
    if (given.since !== undefined) {
      checkSince(given, changeTypes)
      return Object.assign(filters, { kind: 'changes-since' as const, since: given.since, cursor: given.cursor })
    }
    const window = mergeWindows(changeTypes.map((type) => changeWindow(type, now)))
    checkWithin(changeTypes, window, 'from', given.from)
    checkWithin(changeTypes, window, 'to', given.to)
    checkOrder('from', given.from, 'to', given.to)
    return Object.assign(filters, {
      kind: 'changes' as const,
      cursor: given.cursor,
      from: given.from ?? window.first,
      to: given.to ?? window.last,
      includeUnknownDates: given.include_unknown_dates,
      direction: given.order_direction ?? ('asc' as const),
    })
  },
})

/** Rejects what has no meaning in the order of commits: future changes, spans of time and another order. */
function checkSince(
  given: { readonly from?: number; readonly to?: number; readonly order_direction?: string },
  changeTypes: readonly ChangeType[],
): void {
  const future = changeTypes.find(isFutureChangeType)
  if (future !== undefined) {
    const message = `The parameter "since" is for past changes (new, updated, removed), not for ${future}.`
    throw new ApiError('invalid_parameter', message, { parameter: 'since' })
  }
  const other = (['from', 'to', 'order_direction'] as const).find((name) => given[name] !== undefined)
  if (other === undefined) return
  const message = `The parameter "${other}" cannot be combined with "since", whose answers are in the order of arrival.`
  throw new ApiError('invalid_parameter', message, { parameter: other })
}

interface Window {
  readonly first: number
  readonly last: number
}

/** The range of instants that `from` and `to` accept for a change type: whole UTC days, both ends included. */
export function changeWindow(type: ChangeType, now: number): Window {
  const reach = CHANGE_WINDOW_DAYS * SECONDS_PER_DAY
  return isFutureChangeType(type)
    ? { first: startOfDay(now), last: endOfDay(now) + reach }
    : { first: startOfDay(now) - reach, last: endOfDay(now) }
}

/** The window of several change types: past ones end today, future ones begin today. */
function mergeWindows(windows: readonly Window[]): Window {
  return {
    first: Math.min(...windows.map(({ first }) => first)),
    last: Math.max(...windows.map(({ last }) => last)),
  }
}

/** Rejects an instant outside the window. Clients of the public service know these messages by how they begin. */
function checkWithin(
  types: readonly ChangeType[],
  { first, last }: Window,
  parameter: 'from' | 'to',
  value?: number,
): void {
  if (value === undefined || (value >= first && value <= last)) return
  const side = value < first ? 'past' : 'future'
  const isBeyondReach = types.some((type) => isFutureChangeType(type) === (side === 'future'))
  const limit = isBeyondReach ? `more than ${CHANGE_WINDOW_DAYS} days in the ${side}` : `in the ${side}`
  const message = `parameter "${parameter}" cannot be ${limit} for ${types.join(' and ')} changes: it is ${value}, and must be from ${first} to ${last}.`
  throw new ApiError('invalid_parameter', message, { parameter })
}

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
