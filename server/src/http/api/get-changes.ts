import Type from 'typebox'
import { CHANGE_TYPES, type ChangeType, isFutureChangeType } from '../../model/change.ts'
import { ITEM_TYPES } from '../../model/show.ts'
import { CHANGE_WINDOW_DAYS, endOfDay, SECONDS_PER_DAY, startOfDay } from '../../model/time.ts'
import { ApiError } from '../exchange/errors.ts'
import { optionalWithDefault } from '../request/parameter-parser.ts'
import { defineEndpoint, omitUndefined } from './endpoint.ts'
import { refTo } from './schemas.ts'
import * as shared from './shared-parameters.ts'
import { checkOrder, resolveCatalogs, resolveCountry } from './shared-parameters.ts'

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
    'What is new, updated, removed, expiring or upcoming in the catalogs of a country, 25 changes a page, by date.',
  pathParameters: Type.Object({}),
  parameters: Type.Object({
    country: shared.country,
    change_type: Type.Enum(CHANGE_TYPES, {
      type: 'string',
      description: 'What happened (`new`, `updated`, `removed`) or will happen (`expiring`, `upcoming`).',
      examples: ['new'],
    }),
    item_type: Type.Enum(ITEM_TYPES, { type: 'string', description: 'What it happened to.', examples: ['show'] }),
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
    cursor: Type.Optional(shared.cursor),
    order_direction: Type.Optional(shared.orderDirection('Ascending by default.')),
    output_language: shared.outputLanguage,
  }),
  response: refTo('ChangesResult'),
  responseDescription: 'A page of changes, and the shows that they are about.',
  daily: true,
  toQuery(given, _path, context) {
    const { names, now } = context
    const country = resolveCountry(given.country, names)
    const catalogs = given.catalogs === undefined ? [] : resolveCatalogs(given.catalogs, country, context)
    const window = changeWindow(given.change_type, now)
    checkWithin(given.change_type, window, 'from', given.from)
    checkWithin(given.change_type, window, 'to', given.to)
    checkOrder('from', given.from, 'to', given.to)
    return {
      kind: 'changes',
      country,
      changeType: given.change_type,
      itemType: given.item_type,
      catalogs,
      ...omitUndefined({ showType: given.show_type, cursor: given.cursor }),
      from: given.from ?? window.first,
      to: given.to ?? window.last,
      includeUnknownDates: given.include_unknown_dates,
      direction: given.order_direction ?? 'asc',
      language: given.output_language,
    }
  },
})

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

/** Rejects an instant outside the window. Clients of the public service know these messages by how they begin. */
function checkWithin(type: ChangeType, { first, last }: Window, parameter: 'from' | 'to', value?: number): void {
  if (value === undefined || (value >= first && value <= last)) return
  const side = value < first ? 'past' : 'future'
  const isBeyondReach = isFutureChangeType(type) === (side === 'future')
  const limit = isBeyondReach ? `more than ${CHANGE_WINDOW_DAYS} days in the ${side}` : `in the ${side}`
  const message = `parameter "${parameter}" cannot be ${limit} for ${type} changes: it is ${value}, and must be from ${first} to ${last}.`
  throw new ApiError('invalid_parameter', message, { parameter })
}
