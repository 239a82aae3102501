import { createReadStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { canUseThreads } from '../../lib/threads.ts'
import { type FeedLine, MAX_LINE_BYTES, readFeedLines, type TextLine } from './feed-lines.ts'
import { FeedReader } from './feed-reader.ts'
import { digestLine } from './line-digest.ts'
import { LineShortener } from './track-lists.ts'

/** So small that a feed has many more chunks than may wait, and many tables of lists. */
const SMALL = { chunkBytes: 512, maxWaitingChunks: 2, maxLists: 10 }

/** A line with two lists of languages, in one line of three one that no other has. */
function record(n: number): string {
  const subtitles = n % 3 === 0 ? `[{"language":"eng","region":"${n}"}]` : '[]'
  const title = n % 5 === 0 ? `Numéro ${n} – 第${n}話` : `Number ${n}`
  return `{"id":"${n}","title":"${title}","audios":[{"language":"eng"},{"language":"fra"}],"subtitles":${subtitles}}`
}

function writeFeed(content: string | Buffer): string {
  const path = join(temporaryFolder(), 'feed')
  writeFileSync(path, content)
  return path
}

async function collect(lines: AsyncIterable<FeedLine>, onLine?: (line: TextLine) => void): Promise<object[]> {
  const all: object[] = []
  for await (const line of lines) {
    if ('text' in line) onLine?.(line)
    all.push(
      'text' in line ? { line: line.line, text: line.text, digest: line.prepared?.digest ?? digestLine(line) } : line,
    )
  }
  return all
}

const records = Array.from({ length: 400 }, (_, n) => record(n))
const tooLong = `{"id":"1","title":"${'a'.repeat(MAX_LINE_BYTES)}"}`
const notUtf8 = Buffer.concat([
  Buffer.from(`${record(1)}\n{"a":"`),
  Buffer.from([0xff]),
  Buffer.from(`"}\n${record(2)}\n`),
])
const gzipped = gzipSync(records.join('\n'))

const FEEDS: [name: string, content: string | Buffer][] = [
  ['many lines', records.join('\n')],
  ['gzip', gzipped],
  ['lines of no id, of spaces and of nothing', `\ufeff{"kind":"feed"}\n\n  \n ${record(5)} \r\n[]\n`],
  ['a line that is longer than a chunk', `${record(1)}\n{"id":"2","title":"${'é'.repeat(2_000)}"}\n${record(3)}`],
  ['a line that is too long', `${record(1)}\n${tooLong}\n${record(2)}`],
  ['bytes that are not UTF-8', notUtf8],
  ['more lines without a text than are sent at once', Buffer.alloc(25_000, '\xff\n', 'latin1')],
  ['a last line that breaks off', `${record(1)}\n${record(2).slice(0, -9)}`],
  ['gzip that breaks off', gzipped.subarray(0, gzipped.length - 100)],
  ['lists that break off', `${record(1)}\n{"id":"2","audios":[{"language"\n{"id":"3","audios":[oops]}\n${record(4)}`],
]

describe.skipIf(!canUseThreads())('FeedReader', () => {
  it.each(FEEDS)('reads what is read without a thread: %s', async (_, content) => {
    const path = writeFeed(content)
    const expected = await collect(readFeedLines(createReadStream(path)))
    expect(await collect(new FeedReader(path, SMALL).lines())).toEqual(expected)
    const reader = new FeedReader(path)
    expect(await collect(reader.lines())).toEqual(expected)
    expect(reader.bytesRead).toBeGreaterThan(0)
  })

  it.each([
    ['all lines', () => true],
    ['no line after some', (n: number) => n < 100],
    ['one line of ten', (n: number) => n % 10 === 0],
    ['all lines after some', (n: number) => n > 200],
  ])('shortens lines as is done without a thread, where it is wanted for %s', async (_, isWanted) => {
    const shortener = new LineShortener()
    const seen: object[] = []
    const expected: object[] = []
    await collect(new FeedReader(writeFeed(records.join('\n')), SMALL).lines(), ({ line, text, prepared }) => {
      if (!isWanted(line)) return
      const { text: shortened, length, lists } = prepared!.shorten()
      seen.push({ size: prepared!.size, length, whole: lists.restore(shortened) })
      expected.push({ size: Buffer.byteLength(text), length: shortener.shorten(text).length, whole: text })
    })
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).toEqual(expected)
  })

  it('ends when its lines are no longer read', async () => {
    for await (const line of new FeedReader(writeFeed(records.join('\n')), SMALL).lines()) if (line.line === 3) break
  })

  it('throws the error of the file', async () => {
    const missing = join(temporaryFolder(), 'missing')
    await expect(collect(new FeedReader(missing).lines())).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
