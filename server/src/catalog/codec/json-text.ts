/** Anything but plain ASCII that stands for itself inside of JSON quotes. */
const NEEDS_ESCAPE = /[^\x20\x21\x23-\x5b\x5d-\x7e]/

/** A text as it stands in JSON between the quotes. */
export function jsonInside(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text).slice(1, -1) : text
}
