import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_JSON_DEPTH, parseJson } from './parse-json.ts'

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth)

describe('parseJson', () => {
  it('parses as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.constantFrom(0, 2), (text, indent) => {
        const spaced = JSON.stringify(JSON.parse(text), null, indent)
        expect(parseJson(spaced)).toEqual(JSON.parse(text))
      }),
      { numRuns: 300, seed: 1 },
    )
  })

  it('rejects what is nested too deeply, and only that', () => {
    expect(parseJson(nested(MAX_JSON_DEPTH))).toBeTypeOf('object')
    for (const text of [nested(MAX_JSON_DEPTH + 1), nested(1_000_000), nested(50_000, '{"a":', '}')]) {
      expect(() => parseJson(text)).toThrow('nested more than')
    }
  })

  it('does not count brackets within strings', () => {
    for (const text of ['[', '{', '\\"[', '\\\\']) {
      const json = `["${text.repeat(500)}"]`
      expect(parseJson(json)).toEqual(JSON.parse(json))
    }
  })

  it('leaves broken JSON to JSON.parse', () => {
    for (const text of ['', '"', `"${'['.repeat(200)}`, ']'.repeat(200)])
      expect(() => parseJson(text)).toThrow(SyntaxError)
  })
})
