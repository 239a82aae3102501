/** A colour as the catalog has it, or a quiet one where it is not a colour. */
export function safeColor(code: string): string {
  return /^#[0-9a-f]{6}$/i.test(code) ? code : '#6b645b'
}
