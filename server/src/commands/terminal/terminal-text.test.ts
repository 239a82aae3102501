import { expect, test } from 'vitest'
import { stripControls, styled, textWidth } from './output.ts'

test('letters of other scripts take the room that terminals give them', () => {
  expect(textWidth('The Godfather')).toBe(13)
  expect(textWidth('千と千尋の神隠し')).toBe(16)
  expect(textWidth('Ame\u0301lie')).toBe(6)
  expect(textWidth('🎬 cut')).toBe(6)
  expect(textWidth('\x1b[1mbold\x1b[22m')).toBe(4)
})

test('a title cannot give orders to a terminal', () => {
  expect(stripControls('a\x1b[2Jb\nc\x07')).toBe('a [2Jb c ')
})

test('text is styled on terminals with colours only', () => {
  const stream = (isTTY: boolean, hasColors: boolean) =>
    ({ isTTY, hasColors: () => hasColors }) as unknown as NodeJS.WriteStream
  const { NO_COLOR } = process.env
  delete process.env.NO_COLOR
  try {
    expect(styled('x', 'red', stream(true, true))).toBe('\x1b[31mx\x1b[39m')
    expect(styled('x', 'red', stream(true, false))).toBe('x')
    expect(styled('x', 'red', stream(false, true))).toBe('x')
    process.env.NO_COLOR = '1'
    expect(styled('x', 'red', stream(true, true))).toBe('x')
  } finally {
    if (NO_COLOR === undefined) delete process.env.NO_COLOR
    else process.env.NO_COLOR = NO_COLOR
  }
})
