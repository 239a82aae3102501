const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** JSON with its parts in colours. It is made of elements, never of markup: what a feed says stays text. */
export function JsonText({ text }: { text: string }) {
  const parts = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quoted, colon] = match
    if (match.index > end) parts.push(text.slice(end, match.index))
    const kind = quoted === undefined ? 'json-other' : colon === undefined ? 'json-text' : 'json-key'
    parts.push(
      <span key={match.index} class={kind}>
        {quoted ?? whole}
      </span>,
    )
    if (colon !== undefined) parts.push(colon)
    end = match.index + whole.length
  }
  parts.push(text.slice(end))
  return <code>{parts}</code>
}
