import { expect, onTestFinished, test, vi } from 'vitest'
import { printJson, printLines, printTable, styled, textWidth } from './output.ts'

/** The text that a function prints to standard output. */
function printed(print: () => void): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  print()
  return write.mock.calls.map(([text]) => text).join('')
}

test('numbers are aligned to the right, and texts to the left', () => {
  const rows = [
    ['one', 1],
    ['twelve', 12],
  ]
  expect(printed(() => printTable(['name', 'count'], rows))).toBe('name    count\none         1\ntwelve     12\n')
})

test('control characters are removed from table cells, and styled cells keep their style', () => {
  const terminal = { isTTY: true, hasColors: () => true } as unknown as NodeJS.WriteStream
  vi.stubEnv('NO_COLOR', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const rows = [['\x1b[2Jx', { styled: styled('\x9b31my', 'bold', terminal) }]]
  expect(printed(() => printTable(['a', 'b'], rows))).toBe('a      b\n [2Jx  \x1b[1m 31my\x1b[22m\n')
})

test('control characters are removed from lines, and line breaks stay', () => {
  expect(printed(() => printLines('a\x1b[2J', 'b\rc'))).toBe('a [2J\nb c\n')
})

test('all control characters in JSON are escaped, and the value stays the same', () => {
  const value = { name: 'a\x1b[2J\x9b31m\x7f\n' }
  const text = printed(() => printJson(value))
  expect(text).toBe('{"name":"a\\u001b[2J\\u009b31m\\u007f\\n"}\n')
  expect(JSON.parse(text)).toEqual(value)
})

test('wide and combining characters count as the columns that terminals give them', () => {
  expect(textWidth('The Godfather')).toBe(13)
  expect(textWidth('千と千尋の神隠し')).toBe(16)
  expect(textWidth('Ame\u0301lie')).toBe(6)
  expect(textWidth('🎬 cut')).toBe(6)
  expect(textWidth('\x1b[1mbold\x1b[22m')).toBe(4)
})

test('text is styled only on terminals with colours', () => {
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
