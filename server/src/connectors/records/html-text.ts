import { ownEntry } from '../../lib/objects.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
}

/** The plain text of a short HTML fragment: tags are dropped, paragraphs become spaces, character references are decoded. */
export function toPlainText(html: string): string {
  return html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<(\/?(p|br|div|li|ul|ol)\b[^>]*)>/gi, ' ')
    .replace(/<[a-z/!][^>]*>/gi, '')
    .replace(/&(#x?[0-9a-f]{1,6}|[a-z]{1,10});/gi, (reference, name: string) => decodeReference(name) ?? reference)
    .replace(/\s+/g, ' ')
    .trim()
}

function decodeReference(name: string): string | undefined {
  if (!name.startsWith('#')) return ownEntry(ENTITIES, name.toLowerCase())
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isCharacter = code > 31 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : undefined
}
