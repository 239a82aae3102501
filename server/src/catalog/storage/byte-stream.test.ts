import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteReader, ByteWriter } from './byte-stream.ts'

describe('varint', () => {
  it('round-trips every integer from 0 to the largest safe one', () => {
    const edges = Array.from({ length: 54 }, (_, bits) => 2 ** bits).flatMap((power) => [power - 1, power])
    const anyNumber = fc.oneof(fc.maxSafeNat(), fc.nat(), fc.constantFrom(...edges.filter(Number.isSafeInteger)))
    fc.assert(
      fc.property(fc.array(anyNumber), (numbers) => {
        const out = new ByteWriter(1)
        for (const number of numbers) out.varint(number)
        const input = new ByteReader(out.toBuffer())
        expect(numbers.map(() => input.varint())).toEqual(numbers)
        expect(input.done).toBe(true)
      }),
    )
  })

  it('takes a byte for each seven bits', () => {
    const encodedBytes = (number: number) => {
      const out = new ByteWriter()
      out.varint(number)
      return out.position
    }
    expect([0, 127, 128, 16_383, 16_384, 2 ** 31 - 1, 2 ** 31, 2 ** 35].map(encodedBytes)).toEqual([
      1, 1, 2, 2, 3, 5, 5, 6,
    ])
  })
})

it('reads texts one by one or many at once', () => {
  const anyText = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ minLength: 120, maxLength: 140 }))
  fc.assert(
    fc.property(fc.array(anyText), fc.nat(300), (texts, number) => {
      const out = new ByteWriter(1)
      out.varint(number)
      for (const text of texts) out.sizedText(text)
      out.varint(number)
      const [one, many] = [new ByteReader(out.toBuffer()), new ByteReader(out.toBuffer())]
      expect([one.varint(), texts.map(() => one.sizedText()), one.varint()]).toEqual([number, texts, number])
      expect([many.varint(), many.sizedTexts(texts.length), many.varint()]).toEqual([number, texts, number])
    }),
  )
})
