/** Escapes text for XML and HTML, in elements and in attributes. */
export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Removes what XML cannot contain even escaped: control characters, lone surrogates, non-characters. */
export function stripUnprintable(text: string): string {
  let clean = ''
  for (const character of text) {
    const code = character.codePointAt(0) as number
    const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0)
    const isBroken = (code >= 0xd800 && code <= 0xdfff) || (code & 0xfffe) === 0xfffe
    if (!isControl && !isBroken) clean += character
  }
  return clean
}

/** Wrapped lines, and the font size at which they fit. */
interface FittedText {
  readonly lines: readonly string[]
  readonly size: number
}

/** Wraps text at the largest font size at which it fits. Widths are estimates, as no font metrics are available. */
export function fitText(text: string, width: number, sizes: readonly number[], maxLines: number): FittedText {
  for (const size of sizes) {
    const lines = wrapLines(text, width / size)
    if (lines.length <= maxLines && lines.every((line) => estimateWidth(line) * size <= width)) {
      return { lines: balanceLines(text, width / size, lines), size }
    }
  }
  const size = sizes.at(-1) ?? 16
  const lines = wrapLines(text, width / size).slice(0, maxLines)
  const last = lines.at(-1) ?? ''
  return { lines: [...lines.slice(0, -1), `${last.slice(0, -1).trimEnd()}…`], size }
}

/** Estimates the width of a line in em. */
export function estimateWidth(text: string): number {
  let width = 0
  for (const character of text) width += letterWidth(character)
  return width
}

function letterWidth(character: string): number {
  if (isWide(character)) return 1
  if (character === ' ') return 0.28
  if ("iljtfI.,:;'’!|()[]".includes(character)) return 0.34
  if ('mwMW@—…'.includes(character)) return 0.92
  return character === character.toLowerCase() ? 0.58 : 0.74
}

/** Whether the character is full-width (CJK, emoji). A line may break next to it. */
function isWide(character: string): boolean {
  const code = character.codePointAt(0) as number
  return (
    code >= 0x1100 &&
    (code <= 0x115f ||
      (code >= 0x2e80 && code <= 0xa4cf) ||
      (code >= 0xac00 && code <= 0xd7a3) ||
      (code >= 0xf900 && code <= 0xfaff) ||
      (code >= 0xff00 && code <= 0xff60) ||
      code >= 0x1f300)
  )
}

/** Punctuation that must not start a line. */
const CLOSING_PUNCTUATION = '、。，．・：；？！）」』】》ー…'

function wrapLines(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const token of splitTokens(text)) {
    const joined = line + token
    if (line !== '' && estimateWidth(joined.trimEnd()) > width && !CLOSING_PUNCTUATION.includes(token)) {
      lines.push(line.trimEnd())
      line = token.trimStart()
    } else line = joined
  }
  if (line.trim() !== '') lines.push(line.trimEnd())
  return lines
}

/** Wraps the text in the same number of lines, but of more even length. */
function balanceLines(text: string, width: number, lines: readonly string[]): readonly string[] {
  let best = lines
  for (let share = 0.95; share >= 0.4; share -= 0.05) {
    const narrower = wrapLines(text, width * share)
    if (narrower.length > lines.length) break
    if (narrower.every((line) => estimateWidth(line) <= width)) best = narrower
  }
  return best
}

/** Splits text where a line may break: after a space or a hyphen, and around full-width characters. */
function splitTokens(text: string): string[] {
  const pieces: string[] = []
  let word = ''
  for (const character of text) {
    const wide = isWide(character)
    if (wide && word !== '') {
      pieces.push(word)
      word = ''
    }
    word += character
    if (wide || character === ' ' || character === '-') {
      pieces.push(word)
      word = ''
    }
  }
  if (word !== '') pieces.push(word)
  return pieces
}
