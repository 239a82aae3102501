import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { childrenNamed, childText, childTexts, readXmlRecords, type XmlElement, type XmlPart } from './xml-reader.ts'

const RECORDS = new Set(['item'])

async function read(bytes: Buffer | string, chunkBytes = Number.POSITIVE_INFINITY): Promise<XmlPart[]> {
  const whole = Buffer.from(bytes)
  const chunks: Buffer[] = []
  for (let at = 0; at < whole.length; at += chunkBytes) chunks.push(whole.subarray(at, at + chunkBytes))
  const parts: XmlPart[] = []
  for await (const part of readXmlRecords(Readable.from(chunks), RECORDS)) parts.push(part)
  return parts
}

const recordsIn = (parts: readonly XmlPart[]) =>
  parts.flatMap((part): XmlElement[] => ('record' in part ? [part.record] : []))
const problemsIn = (parts: readonly XmlPart[]) =>
  parts.flatMap((part) => ('problem' in part && 'problem' in part.problem ? [part.problem.problem] : []))

const FEED = `\ufeff<?xml version="1.0" encoding="UTF-8"?>
<!-- A comment with <item> in it. -->
<u:feed xmlns:u="urn:u" version="3">
  <locale>en-GB</locale>
  <item id="1">
    <u:title locale="de">Über &amp; &#252;ber</u:title>
    <text><![CDATA[a < b]]> and c</text>
    <list><title>inner</title><title/></list>
  </item>
  <item/>
</u:feed>`

test('records are trees without namespace prefixes, and what is around them comes in order', async () => {
  const parts = await read(FEED)
  expect(parts.map((part) => Object.keys(part)[1])).toEqual(['tag', 'tag', 'leaf', 'record', 'record'])
  expect(parts[0]).toMatchObject({ tag: 'feed', parent: undefined, attributes: { version: '3' }, line: 3 })
  expect(parts[1]).toMatchObject({ tag: 'locale', parent: 'feed' })
  expect(parts[2]).toMatchObject({ leaf: 'locale', text: 'en-GB' })
  const [item, empty] = recordsIn(parts) as [XmlElement, XmlElement]
  expect(item.attributes).toEqual({ id: '1' })
  expect(childText(item, 'title')).toBe('Über & über')
  expect(childText(item, 'text')).toBe('a < b and c')
  expect(childTexts(item, 'title', 'list')).toEqual(['Über & über', 'inner'])
  expect(childrenNamed(item, 'title', 'list')).toHaveLength(3)
  expect(empty).toEqual({ name: 'item', attributes: {}, children: [], text: '' })
})

test('the size of the chunks does not matter, and gzipped data and UTF-16 are read', async () => {
  const whole = await read(FEED)
  for (const size of [1, 2, 3, 7, 50]) expect(await read(FEED, size)).toEqual(whole)
  expect(await read(gzipSync(FEED))).toEqual(whole)
  const wide = Buffer.from(FEED.replace('UTF-8', 'UTF-16'), 'utf16le')
  expect(recordsIn(await read(wide))).toEqual(recordsIn(whole))
})

test.each([
  ['truncated', '<feed><item><a>1</a></item><item>', 'truncated_feed'],
  ['of tags that do not fit', '<feed><item><a>1</b></item></feed>', 'truncated_feed'],
  ['with text after its end', '<feed><item/></feed>502 Bad Gateway', 'truncated_feed'],
  ['with an entity of its own', '<!DOCTYPE feed [<!ENTITY a "b">]><feed><item>&a;</item></feed>', 'truncated_feed'],
  ['of elements inside each other', `<feed><item>${'<a>'.repeat(100_000)}`, 'truncated_feed'],
  ['that is JSON', '{"item":1}', 'truncated_feed'],
  ['that is empty', '', 'truncated_feed'],
  ['that is no UTF-8', Buffer.from([0x3c, 0x61, 0x3e, 0xc3, 0x28]), 'invalid_utf8'],
])('a feed %s ends with a problem', async (_, feed, problem) => {
  expect(problemsIn(await read(feed))).toEqual([problem])
})

test('what came before a problem is read', async () => {
  expect(recordsIn(await read('<feed><item>1</item><item>2</feed>')).map(({ text }) => text)).toEqual(['1'])
})

test('a record that is too large is skipped, and the next one is read', async () => {
  const large = `<a>${'x'.repeat(1 << 20)}</a>`.repeat(11)
  const parts = await read(`<feed><item>${large}</item><item>2</item></feed>`, 1 << 16)
  expect(problemsIn(parts)).toEqual(['line_too_long'])
  expect(recordsIn(parts).map(({ text }) => text)).toEqual(['2'])
})
