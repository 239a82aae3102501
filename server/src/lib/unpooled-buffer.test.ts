import { expect, it } from 'vitest'
import { encodeUnpooled, toUnpooled } from './unpooled-buffer.ts'

it.each(['', 'a', 'é 日本 🎬', 'x'.repeat(10_000)])('encodes a text into memory of its own: %.10s', (text) => {
  const bytes = encodeUnpooled(text)
  expect(bytes.toString()).toBe(text)
  expect(bytes.buffer.byteLength).toBe(bytes.length)
})

it('copies a part of a block, and nothing else', () => {
  const part = Buffer.from('a part of a block that others share')
  const copy = toUnpooled(part)
  expect(copy.equals(part)).toBe(true)
  expect(copy.buffer.byteLength).toBe(part.length)
  expect(toUnpooled(copy)).toBe(copy)
})
