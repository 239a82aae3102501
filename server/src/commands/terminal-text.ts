/** Styles that text on a terminal can have, by the numbers of their escape sequences. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const

/** A style that text on a terminal can have. */
export type Style = keyof typeof STYLES

/** Text made harmless, and styled where the output is a terminal that has colours, and NO_COLOR does not forbid them. */
export function styled(text: string, style: Style, stream: NodeJS.WriteStream = process.stdout): string {
  const plain = harmless(text)
  if (plain === '' || !hasColours(stream)) return plain
  const [on, off] = STYLES[style]
  return `\x1b[${on}m${plain}\x1b[${off}m`
}

function hasColours(stream: NodeJS.WriteStream): boolean {
  // The rule of no-color.org: any value that is not empty.
  if (process.env.NO_COLOR) return false
  return stream.isTTY === true && stream.hasColors()
}

/** Text from elsewhere without what a terminal would obey. */
export function harmless(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

/** Lines from elsewhere without what a terminal would obey. */
export function harmlessLines(text: string): string {
  return text.split('\n').map(harmless).join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const ESCAPES = /\x1b\[\d+m/g
/** Letters that take no room of their own, and those that take the room of two. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}]/u
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u

/** How many columns of a terminal a text takes; escape sequences take none. */
export function textWidth(text: string): number {
  let width = 0
  for (const letter of text.replace(ESCAPES, '')) width += NARROW.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1
  return width
}
