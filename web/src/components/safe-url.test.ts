import { expect, it } from 'vitest'
import { safeImageUrl, safeUrl } from './safe-url.tsx'

it('lets addresses of the web through', () => {
  expect(safeUrl('https://a.test/x?y#z')).toBe('https://a.test/x?y#z')
  expect(safeUrl('http://a.test/')).toBe('http://a.test/')
})

it.each([
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  '//a.test',
  '/x',
  '',
])('lets nothing else through: %s', (address) => {
  expect(safeUrl(address)).toBeUndefined()
  expect(safeImageUrl(address)).toBeUndefined()
})

it('takes the loopback for the service itself', () => {
  expect(safeUrl('http://127.0.0.1:8080/artwork/1?x=2')).toBe('/artwork/1?x=2')
  expect(safeUrl('http://localhost:1/watch/2')).toBe('/watch/2')
  expect(safeUrl('http://[::1]/a')).toBe('/a')
  expect(safeUrl('http://127.0.0.1.evil.test/a')).toBe('http://127.0.0.1.evil.test/a')
})

it('never leads to another host by way of the loopback', () => {
  expect(safeUrl('http://127.0.0.1//evil.test/a')).toBe('/evil.test/a')
})

it('takes images over a safe way only', () => {
  expect(safeImageUrl('https://a.test/i.jpg')).toBe('https://a.test/i.jpg')
  expect(safeImageUrl('http://a.test/i.jpg')).toBeUndefined()
  expect(safeImageUrl('http://127.0.0.1/i.jpg')).toBe('/i.jpg')
})
