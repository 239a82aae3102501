import { AsyncLocalStorage } from 'node:async_hooks'

/** What is recorded with a span. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** A span that has started. */
export interface Span {
  end(endMs: number, attributes: SpanAttributes, isFailed: boolean): void
}

/** Takes spans to where they are collected. Times are in milliseconds since 1970. */
export interface SpanSink {
  start(name: string, kind: 'internal' | 'server', startMs: number, parent: Span | undefined): Span
}

let sink: SpanSink | undefined
const current = new AsyncLocalStorage<Span>()

/** Sets where spans go; undefined turns them off, as they are by default. */
export function setSpanSink(to: SpanSink | undefined): void {
  sink = to
}

/** Runs work as a span, within that of its caller. Without a sink it is a plain call. */
export async function traced<T>(
  name: string,
  describe: (result: T) => SpanAttributes,
  work: () => Promise<T>,
): Promise<T> {
  if (sink === undefined) return work()
  const span = sink.start(name, 'internal', Date.now(), current.getStore())
  try {
    const result = await current.run(span, work)
    span.end(Date.now(), describe(result), false)
    return result
  } catch (error) {
    span.end(Date.now(), { 'error.type': error instanceof Error ? error.name : 'unknown' }, true)
    throw error
  }
}
