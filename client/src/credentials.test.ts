import { expect, test } from 'vitest'
import { parseBaseUrl } from './credentials.ts'

test('slashes at the end are cut off', () => {
  expect(parseBaseUrl('https://tv.example.com/v4//')).toBe('https://tv.example.com/v4')
})

test.each([
  ['http://user:secret@tv.example.com/v4', 'holds a user name or a password'],
  ['http://secret@tv.example.com/v4', 'holds a user name or a password'],
  ['ftp://user:secret@tv.example.com/v4', 'does not begin with http:// or https://'],
  ['user:secret@tv.example.com/v4', 'does not begin with http:// or https://'],
  ['http://user:secret@tv.example.com:x/v4', 'cannot be read as one'],
  ['http://tv.example.com/v4?token=secret', 'has a ? or # in it'],
  ['http://tv.example.com/v4#secret', 'has a ? or # in it'],
])('%s is refused without telling what is secret', (address, problem) => {
  const message = `The base address ${problem}; it should look like https://tv.example.com/v4`
  expect(() => parseBaseUrl(address)).toThrow(new TypeError(message))
})

test.each([
  ['localhost:8080/v4', 'does not begin with http:// or https://'],
  ['file:///v4', 'does not begin with http:// or https://'],
  ['http://', 'cannot be read as one'],
  ['not an address', 'cannot be read as one'],
  ['', 'cannot be read as one'],
])('"%s" is refused by its name', (address, problem) => {
  const message = `The base address ${JSON.stringify(address)} ${problem}; it should look like https://tv.example.com/v4`
  expect(() => parseBaseUrl(address)).toThrow(new TypeError(message))
})
