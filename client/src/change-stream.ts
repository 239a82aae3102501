import type { StreamChangesParameters, StreamedChange } from './api-types.ts'
import { ConnectionError, ContractError, MarqueeError } from './errors.ts'
import type { CallOptions } from './options.ts'
import type { Requester } from './requester.ts'
import { isRetryable } from './retry.ts'

/** Parameters of `changes.stream()`. Without `since` it begins now. */
export type ChangeStreamParameters = StreamChangesParameters

/** A change with its show, and the token behind it. */
export interface ChangeWithToken extends StreamedChange {
  /** With it, as `since`, another stream goes on behind this change. */
  since: string
}

const PATH = '/changes/stream'

/** One server-sent event. */
interface ServerEvent {
  readonly name: string
  readonly data: string
}

/** Yields the changes of a stream, over as many connections as that takes. */
export async function* streamChanges(
  requester: Requester,
  parameters: ChangeStreamParameters,
  options: CallOptions,
): AsyncGenerator<ChangeWithToken, void, undefined> {
  const retries = options.retries ?? Number.POSITIVE_INFINITY
  const url = requester.credentials.base + PATH
  let lastId: string | undefined
  for (let failures = 0; ; ) {
    try {
      const headers = lastId === undefined ? {} : { 'Last-Event-ID': lastId }
      const lines = requester.lines(PATH, parameters, { ...options, retries: 0 }, { ...headers, Accept: ACCEPT })
      for await (const { id, event } of readEvents(lines)) {
        failures = 0
        lastId = id ?? lastId
        // After an expired token, the next request fails with the error of the service.
        if (event?.name === 'change') yield { ...parseChange(event.data, url), since: lastId as string }
      }
      throw new ConnectionError(`${url} ended`, url, false)
    } catch (error) {
      if (!(error instanceof MarqueeError) || !(error instanceof ConnectionError || isRetryable(error))) throw error
      failures++
      await requester.pauseBefore(failures, error, { ...options, retries })
    }
  }
}

/** Errors come as problem details. */
const ACCEPT = 'text/event-stream, application/problem+json'

/** Parses lines of server-sent events. An id may come without an event. A part without its empty line is dropped. */
async function* readEvents(
  lines: AsyncIterable<string>,
): AsyncGenerator<{ readonly id: string | undefined; readonly event: ServerEvent | undefined }, void, undefined> {
  let [name, id] = ['message', undefined as string | undefined]
  let data: string[] = []
  for await (const ended of lines) {
    const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended
    if (line === '') {
      yield { id, event: data.length === 0 ? undefined : { name, data: data.join('\n') } }
      ;[name, id, data] = ['message', undefined, []]
      continue
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === 'event') name = value
    else if (field === 'id') id = value
    else if (field === 'data') data.push(value)
  }
}

function parseChange(data: string, url: string): StreamedChange {
  try {
    const change = JSON.parse(data) as StreamedChange
    if (typeof change.show?.id === 'string' && change.showId !== undefined) return change
  } catch {
    // Reported below.
  }
  const info = { url, status: 200, requestId: undefined, retryAfter: undefined }
  throw new ContractError(`An event of ${url} is not a change with its show: ${data.slice(0, 100)}`, info)
}
