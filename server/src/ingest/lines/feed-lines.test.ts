import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type FeedLine, MAX_LINE_BYTES, readFeedLines, type TextLine } from './feed-lines.ts'
import { digestLine } from './line-digest.ts'

async function readAll(...chunks: Buffer[]): Promise<FeedLine[]> {
  const lines: FeedLine[] = []
  for await (const line of readFeedLines(Readable.from(chunks))) lines.push(line)
  return lines
}

async function read(bytes: Buffer, chunk = 7): Promise<FeedLine[]> {
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += chunk) chunks.push(bytes.subarray(at, at + chunk))
  const lines = await readAll(...chunks)
  return lines.map((line) => ('text' in line ? { line: line.line, text: line.text } : line))
}

describe('readFeedLines', () => {
  const text = '{"a":1}\n\n{"b":"ş"}\r\n{"c":3}'

  it.each([1, 3, 1000])('reads lines, however the bytes are cut (%i at a time)', async (chunk) => {
    expect(await read(Buffer.from(text), chunk)).toEqual([
      { line: 1, text: '{"a":1}' },
      { line: 3, text: '{"b":"ş"}' },
      { line: 4, text: '{"c":3}' },
    ])
  })

  it('reads gzip, also of several members', async () => {
    const gzipped = Buffer.concat([gzipSync('{"a":1}\n'), gzipSync('{"b":2}\n')])
    expect((await read(gzipped)).map((line) => 'text' in line && line.text)).toEqual(['{"a":1}', '{"b":2}'])
  })

  it('reports a truncated last line', async () => {
    expect((await read(Buffer.from('{"a":1}\n{"b":'))).at(-1)).toMatchObject({ line: 2, problem: 'truncated_feed' })
  })

  it('reports truncated gzip', async () => {
    const whole = gzipSync(Array.from({ length: 500 }, (_, i) => `{"a":${Math.sin(i)}}\n`).join(''))
    const lines = await read(whole.subarray(0, whole.length / 2), 100)
    expect(lines.at(-1)).toMatchObject({ problem: 'truncated_feed' })
    expect(lines.filter((line) => 'problem' in line)).toHaveLength(1)
  })

  it('reports bytes that are not UTF-8, and reads on', async () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n{"b":2}\n')])
    expect(await read(bytes)).toEqual([
      expect.objectContaining({ line: 1, problem: 'invalid_utf8' }),
      { line: 2, text: '{"b":2}' },
    ])
  })

  it('skips a line that is too long, and reads on', async () => {
    const bytes = Buffer.concat([Buffer.alloc(MAX_LINE_BYTES + 10, 0x61), Buffer.from('\n{"b":2}\n')])
    expect(await read(bytes, 1 << 16)).toEqual([
      expect.objectContaining({ line: 1, problem: 'line_too_long' }),
      { line: 2, text: '{"b":2}' },
    ])
  })

  it.each([
    ['an id at the start', '{"id":"12","title":"a"}'],
    ['another letter before the id', '{"title":"ş","id":"12"}'],
    ['an id far behind the start', `{"title":"${'a'.repeat(300)}","imdbId":"tt12"}`],
    ['an id across the end of the head', `{"title":"${'a'.repeat(235)}","id":"1234567890"}`],
    ['no id', '{"title":"a"}'],
    ['spaces around', '  {"id":"12"} \t'],
    ['a byte order mark', '\ufeff{"id":"12"}'],
  ])('a line has the digest of its text: %s', async (_, text) => {
    const [line] = (await readAll(Buffer.from(`${text}\n`))) as TextLine[]
    const plain = text.replace('\ufeff', '').trim()
    expect(line?.text).toBe(plain)
    expect(digestLine(line as TextLine)).toEqual(digestLine({ text: plain }))
  })
})
