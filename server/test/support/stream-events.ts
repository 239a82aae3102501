/** A server-sent event with data. */
export interface StreamEvent {
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies freely.
  readonly data: any
}

/** The complete events of a text, the ids of empty ones included. */
export function parseEvents(text: string): { readonly events: StreamEvent[]; readonly lastId: string | undefined } {
  const blocks = text.split('\n\n').slice(0, -1)
  const field = (block: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  const ids = blocks.map((block) => field(block, 'id')).filter((id) => id !== undefined)
  const events = blocks.flatMap((block) => {
    const data = field(block, 'data')
    return data === undefined ? [] : [{ id: field(block, 'id') ?? '', data: JSON.parse(data) }]
  })
  return { events, lastId: ids.at(-1) }
}
