import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../../test/support/property-runs.ts'
import { LineShortener } from '../lines/track-lists.ts'
import { JsonParser } from './json-parser.ts'

/** A parsed record with its track lists resolved. */
function whole(parser: JsonParser, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => whole(parser, item))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inside]) => {
    const list = key === 'audios' || key === 'subtitles' ? parser.resolveList(inside) : inside
    return [key, whole(parser, list)]
  })
  return Object.fromEntries(entries)
}

const tricky = fc.oneof(fc.string(), fc.constantFrom('"audios":[', '\\"audios\\":[1]', ']', '[', '"subtitles":[]'))
const track = fc.oneof(fc.record({ language: tricky }), fc.integer(), tricky, fc.constant(null))
const list = fc.oneof(fc.array(track, { maxLength: 3 }), fc.integer(), tricky)
const option = fc.record({ audios: list, subtitles: list, link: tricky }, { requiredKeys: [] })
const record = fc.record(
  { title: tricky, options: fc.array(option, { maxLength: 4 }), audios: list },
  { requiredKeys: [] },
)

describe('JsonParser', () => {
  it('parses as JSON.parse does, whatever strings and lists contain', () => {
    const parser = new JsonParser()
    const shortener = new LineShortener()
    fc.assert(
      fc.property(record, fc.constantFrom(undefined, 1), (value, indent) => {
        expect(whole(parser, parser.parse(shortener.shorten(JSON.stringify(value, undefined, indent))))).toEqual(
          JSON.parse(JSON.stringify(value)),
        )
      }),
      propertyRuns(2_000, 1),
    )
  })

  it('interns equal lists as one value', () => {
    const parser = new JsonParser()
    const shortener = new LineShortener()
    const lists = [1, 2].map((n) => {
      const { audios } = parser.parse(shortener.shorten(`{"n":${n},"audios":[{"language":"eng"}]}`)) as {
        audios: unknown
      }
      return parser.resolveList(audios)
    })
    expect(lists[0]).toEqual([{ language: 'eng' }])
    expect(lists[0]).toBe(lists[1])
  })

  it('resolves the lists of a line whose table was replaced since', () => {
    const parser = new JsonParser()
    const shortener = new LineShortener(1)
    const lines = [1, 2, 3, 4].map((n) => shortener.shorten(`{"audios":[${n}]}`))
    expect(new Set(lines.map(({ lists }) => lists)).size).toBe(2)
    for (const [i, line] of lines.entries()) {
      const { audios } = parser.parse(line) as { audios: unknown }
      expect(parser.resolveList(audios)).toEqual([i + 1])
    }
  })

  it('throws the error of the original line if it cannot be parsed', () => {
    const text = '{"audios":[{"language":"eng"}],"title":oops}'
    let expected = ''
    try {
      JSON.parse(text)
    } catch (error) {
      expected = (error as Error).message
    }
    const parser = new JsonParser()
    const shortener = new LineShortener()
    expect(() => parser.parse(shortener.shorten(text))).toThrow(expected)
  })
})
