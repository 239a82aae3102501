import { expect, test } from 'vitest'
import { isUnsafeLink } from './fields.ts'

test.each([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' \t\x01javascript:alert(1)',
  'java\nscript:alert(1)',
  'j\ta\tv\ta\tscript\t:x',
  'data:text/html,<script>',
  'DATA:image/png;base64,x',
  'vbscript:x',
  'blob:https://a.example/1',
  'file:///etc/passwd',
  'view-source:javascript:x',
])('%j is unsafe', (link) => {
  expect(isUnsafeLink(link)).toBe(true)
})

test.each([
  'https://a.example/javascript:x',
  'http://a.example/?data:',
  'nflx://www.netflix.com/watch/1',
  'intent://a#Intent;scheme=x;end',
  '/watch/1',
  '',
  'data',
  'database:1',
])('%j is not', (link) => {
  expect(isUnsafeLink(link)).toBe(false)
})
