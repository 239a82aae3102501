import { describe, expect, it } from 'vitest'
import { decodeText, detectEncoding, isEncoding } from './text-encoding.ts'

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const TEXT = 'Título,Año\nAmélie – “Die fabelhafte Welt”,2001\n千と千尋の神隠し,2001\n'
const LATIN = 'Título,Año\nAmélie – “Señor” € 3,2001\n'
/** windows-1252 differs from latin1 in the range of control characters. */
const toWindows1252 = (text: string) =>
  Buffer.from(
    [...text].map((letter) => ({ '–': 0x96, '“': 0x93, '”': 0x94, '€': 0x80 })[letter] ?? letter.charCodeAt(0)),
  )
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('detectEncoding', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT), 'utf-8', TEXT, false],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`), 'utf-8', TEXT, false],
    ['ASCII', Buffer.from('a,b\n1,2\n'), 'utf-8', 'a,b\n1,2\n', false],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le'), 'utf-16le', TEXT, false],
    ['UTF-16, other end first', swapped(`\ufeff${TEXT}`), 'utf-16be', TEXT, false],
    ['UTF-16 without a mark', Buffer.from(LATIN, 'utf16le'), 'utf-16le', LATIN, false],
    ['UTF-16 without a mark, other end first', swapped(LATIN), 'utf-16be', LATIN, false],
    ['what Excel writes', toWindows1252(LATIN), 'windows-1252', LATIN, true],
  ])('recognises %s', async (_, bytes, label, text, isAssumed) => {
    for (const size of [1024, 64]) {
      expect(await detectEncoding(inChunks(bytes, size))).toEqual({ label, isAssumed, isDamaged: false })
    }
    let decoded = ''
    for await (const piece of decodeText(inChunks(bytes, 3), label)) decoded += piece
    expect(decoded).toBe(text)
  })

  it('recognises windows-1252 by a letter that comes late', async () => {
    const bytes = Buffer.concat([Buffer.alloc(100_000, 'a,b\n'), Buffer.from([0x41, 0xe9, 0x0a])])
    expect(await detectEncoding(inChunks(bytes, 4096))).toMatchObject({ label: 'windows-1252' })
  })

  it('takes UTF-8 with a few broken letters for damaged UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from(TEXT), Buffer.from([0xe9, 0x0a])])
    expect(await detectEncoding(inChunks(bytes, 10))).toEqual({ label: 'utf-8', isAssumed: true, isDamaged: true })
  })

  it('refuses what can be none of them', async () => {
    const shiftJis = Buffer.from([0x90, 0xe7, 0x82, 0xc6, 0x90, 0xe7, 0x90, 0x71, 0x0a])
    await expect(detectEncoding(inChunks(shiftJis, 100))).rejects.toThrow(/--encoding shift_jis/)
    expect([isEncoding('shift_jis'), isEncoding('klingon')]).toEqual([true, false])
  })
})
