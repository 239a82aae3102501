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
