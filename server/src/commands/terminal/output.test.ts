import { expect, onTestFinished, test, vi } from 'vitest'
import { printJson, printLines, printTable, styled } from './output.ts'

/** What the given function prints. */
function printed(print: () => void): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  print()
  return write.mock.calls.map(([text]) => text).join('')
}

test('numbers are set to the right, and texts to the left', () => {
  const rows = [
    ['one', 1],
    ['twelve', 12],
  ]
  expect(printed(() => printTable(['name', 'count'], rows))).toBe('name    count\none         1\ntwelve     12\n')
})

test('cells of a table give no orders to the terminal, and those that were styled here keep their style', () => {
  const terminal = { isTTY: true, hasColors: () => true } as unknown as NodeJS.WriteStream
  vi.stubEnv('NO_COLOR', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const rows = [['\x1b[2Jx', { styled: styled('\x9b31my', 'bold', terminal) }]]
  expect(printed(() => printTable(['a', 'b'], rows))).toBe('a      b\n [2Jx  \x1b[1m 31my\x1b[22m\n')
})

test('lines give no orders to the terminal, and stay lines', () => {
  expect(printed(() => printLines('a\x1b[2J', 'b\rc'))).toBe('a [2J\nb c\n')
})

test('JSON is the same value, with every letter escaped that a terminal would obey', () => {
  const value = { name: 'a\x1b[2J\x9b31m\x7f\n' }
  const text = printed(() => printJson(value))
  expect(text).toBe('{"name":"a\\u001b[2J\\u009b31m\\u007f\\n"}\n')
  expect(JSON.parse(text)).toEqual(value)
})
