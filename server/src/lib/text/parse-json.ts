/** The deepest nesting of JSON from outside. Deeper values could exhaust the stack of whatever walks through them. */
export const MAX_JSON_DEPTH = 100

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Parses JSON that comes from outside. Throws a `SyntaxError` also for values that are nested too deeply. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`The JSON is nested more than ${MAX_JSON_DEPTH} levels deep`)
  return JSON.parse(text)
}

function isTooDeep(text: string): boolean {
  if (text.length <= MAX_JSON_DEPTH) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = findStringEnd(text, at)
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth++
      if (depth > MAX_JSON_DEPTH) return true
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth--
  }
  return false
}

/** The index of the quote that ends a string; the end of the text if there is none. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}
