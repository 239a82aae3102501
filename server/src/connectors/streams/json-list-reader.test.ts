import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_LINE_BYTES } from '../../ingest/lines/feed-lines.ts'
import { type JsonListPart, readAnyJsonList, readJsonList } from './json-list-reader.ts'

/** Reads a text that arrives in chunks of a size. */
async function parts(text: string | Buffer, chunkSize = 7): Promise<JsonListPart[]> {
  const bytes = Buffer.from(text as string)
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, i) =>
    bytes.subarray(i * chunkSize, (i + 1) * chunkSize),
  )
  const all: JsonListPart[] = []
  for await (const part of readJsonList(Readable.from(chunks), 'list')) all.push(part)
  return all
}

const elements = (all: readonly JsonListPart[]) => all.flatMap((part) => ('element' in part ? [part.element] : []))
const problems = (all: readonly JsonListPart[]) =>
  all.flatMap((part) => ('problem' in part && 'problem' in part.problem ? [part.problem.problem] : []))

describe('readJsonList', () => {
  it('returns all elements and members of any object, with any formatting and chunking', async () => {
    const value = fc.jsonValue()
    await fc.assert(
      fc.asyncProperty(
        fc.array(value),
        value,
        fc.constantFrom(0, 1, 3),
        fc.integer({ min: 1, max: 40 }),
        async (list, other, indent, size) => {
          // JSON.stringify prints negative zero as 0.
          const object = JSON.parse(JSON.stringify({ before: other, list, after: other }))
          const all = await parts(JSON.stringify(object, null, indent), size)
          expect(problems(all)).toEqual([])
          expect(elements(all)).toEqual(object.list)
          expect(all.filter((part) => 'member' in part)).toMatchObject([
            { member: 'before', value: object.before },
            { member: 'after', value: object.after },
          ])
        },
      ),
      { numRuns: 200 },
    )
  })

  it('finds the end of long strings with escapes', async () => {
    const piece = fc.constantFrom('\\', '"', '\\"', 'x', 'a plain piece of a long text', 'é', '\n')
    const text = fc.array(piece, { minLength: 5, maxLength: 40 }).map((pieces) => pieces.join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(text), fc.integer({ min: 1, max: 200 }), async (list, size) => {
        const all = await parts(JSON.stringify({ list, after: list }), size)
        expect([problems(all), elements(all)]).toEqual([[], list])
      }),
      { numRuns: 300 },
    )
  })

  it('returns the first line of each element', async () => {
    const all = await parts('{\n "list": [\n  {"a":\n1},\n  2\n ]\n}\n')
    expect(all.map(({ line }) => line)).toEqual([3, 5])
  })

  it('reads gzip, and reports truncated data', async () => {
    const zipped = gzipSync(JSON.stringify({ list: Array.from({ length: 1000 }, (_, i) => `element ${i * 7919}`) }))
    expect(elements(await parts(zipped, 100))).toHaveLength(1000)
    expect(problems(await parts(zipped.subarray(0, zipped.length / 2), 100))).toEqual(['truncated_feed'])
  })

  it.each([
    ['{"list":[1,2', [1], 'truncated_feed'],
    ['{"list":[1,2]', [1, 2], 'truncated_feed'],
    ['{"list":[1}', [1], 'truncated_feed'],
    ['{"list":[{"a":1},nonsense,{"b":2}]}', [{ a: 1 }, { b: 2 }], 'unreadable_line'],
    ['{"list":[1,,2]}', [1], 'truncated_feed'],
    ['{"list":[1 2]}', [1], 'truncated_feed'],
    ['{"list":[1]} more', [1], 'truncated_feed'],
    ['[1,2]', [], 'truncated_feed'],
    ['<html>', [], 'truncated_feed'],
    ['', [], 'truncated_feed'],
    ['{"lists":[1]}', [], 'unreadable_line'],
    ['{"list":{"a":1}}', [], 'unreadable_line'],
  ])('reads %s up to the fault', async (text, expected, problem) => {
    const all = await parts(text)
    expect([elements(all), problems(all)]).toEqual([expected, [problem]])
  })

  it('skips an element that is too long, and reads on', async () => {
    const all = await parts(`{"list":["${'x'.repeat(MAX_LINE_BYTES + 1)}",2]}`, 1 << 16)
    expect([elements(all), problems(all)]).toEqual([[2], ['line_too_long']])
  })

  it('reports an element that is no UTF-8', async () => {
    const all = await parts(Buffer.concat([Buffer.from('{"list":["'), Buffer.from([0xff]), Buffer.from('",2]}')]))
    expect([elements(all), problems(all)]).toEqual([[2], ['invalid_utf8']])
  })

  it.each([
    ['[1,2]', [1, 2], []],
    ['[]', [], []],
    ['{"other":[1,2],"a":3}', [1, 2], ['a', 'end with a list']],
    ['{"a":[1],"b":{}}', [], ['a', 'b', 'end']],
    ['{}', [], ['end']],
    ['{"list":[1]}\n{"a":2}\n[3]\n', [1, 3], ['end with a list', 'a', 'end']],
  ])('reads %s if any form is allowed', async (text, expected, others) => {
    const all: JsonListPart[] = []
    const seen: string[] = []
    for await (const part of readAnyJsonList(Readable.from([Buffer.from(text)]), ['list', 'other'])) {
      if ('end' in part) seen.push(part.sawList ? 'end with a list' : 'end')
      else all.push(part)
      if ('member' in part) seen.push(part.member)
    }
    expect([elements(all), problems(all), seen]).toEqual([expected, [], others])
  })

  it.each(['[1', '{"list":[1]} more', '', 'null'])('reports the fault of %j if any form is allowed', async (text) => {
    const all: JsonListPart[] = []
    for await (const part of readAnyJsonList(Readable.from([Buffer.from(text)]), ['list'])) {
      if (!('end' in part)) all.push(part)
    }
    expect(problems(all)).toEqual(['truncated_feed'])
  })

  it('reads the list inside a member that wraps it, with any chunking', async () => {
    const text =
      '{"head":{"vars":["a"]},"results":{"distinct":true,"list":[{"a":1},[2]],"results":{"list":[3]}},"tail":4}'
    for (const size of [1, 5, 1000]) {
      const all: JsonListPart[] = []
      const members: string[] = []
      const bytes = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        Buffer.from(text.slice(i * size, (i + 1) * size)),
      )
      for await (const part of readAnyJsonList(Readable.from(bytes), ['list'], 'results')) {
        if ('member' in part) members.push(part.member)
        if (!('end' in part)) all.push(part)
      }
      expect([elements(all), problems(all), members]).toEqual([
        [{ a: 1 }, [2]],
        [],
        ['head', 'distinct', 'results', 'tail'],
      ])
    }
  })
})
