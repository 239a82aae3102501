import { expect, test } from 'vitest'
import { escapeControlsInJson, stripControls, stripControlsByLine } from './printable.ts'

test('control characters become spaces', () => {
  expect(stripControls('a\x1b[2Jb\nc\x07\x9b31m')).toBe('a [2Jb c 31m')
  expect(stripControlsByLine('a\x1bb\nc\rd')).toBe('a b\nc d')
})

test('characters that reorder text are left out, and letters of all scripts stay', () => {
  expect(stripControls('price \u202e99.2\u202c \u2067x\u2069\u200f')).toBe('price 99.2 x')
  for (const text of ['שלום, עולם!', 'العربية', '千と千尋', '👩‍👩‍👧', 'Ame\u0301lie'])
    expect(stripControls(text)).toBe(text)
})

test('JSON keeps its value and has no such character', () => {
  const value = { name: 'a\x1b[2J\x9b31m\x7f\n\u202eb\u2066\u2028' }
  const json = escapeControlsInJson(JSON.stringify(value))
  expect(json).toMatch(/^[\x20-\x7e]*$/)
  expect(JSON.parse(json)).toEqual(value)
})
