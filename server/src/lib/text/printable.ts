/** Characters that steer a terminal: C0, DEL and C1 controls. */
const CONTROLS = /\p{Cc}+/gu

/** Characters that reorder text or break lines invisibly: bidirectional controls, and the separators U+2028 and U+2029. */
const BIDI = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Both, except C0 controls, which JSON escapes anyway. */
const UNESCAPED_IN_JSON = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

/**
 * Text that is safe on a terminal: controls become spaces, and bidirectional controls are left out. Text from a feed can
 * then neither send escape sequences nor show something else than it says.
 */
export function stripControls(text: string): string {
  return text.replace(CONTROLS, ' ').replace(BIDI, '')
}

/** The same for text of several lines; line breaks stay. */
export function stripControlsByLine(text: string): string {
  return text.split('\n').map(stripControls).join('\n')
}

/** JSON that is safe on a terminal, with the same value: what JSON.stringify leaves as it is becomes an escape. */
export function escapeControlsInJson(json: string): string {
  if (!UNESCAPED_IN_JSON.test(json)) return json
  return json.replace(
    new RegExp(UNESCAPED_IN_JSON, 'g'),
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Whether the UTF-16 unit at an index is the first half of a surrogate pair. */
export function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return unit >= 0xd800 && unit < 0xdc00
}

/** At most the given number of UTF-16 units of a text. A surrogate pair is not split: half of one has no UTF-8 form. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return text.slice(0, isHighSurrogate(text, maxLength - 1) ? maxLength - 1 : maxLength)
}
