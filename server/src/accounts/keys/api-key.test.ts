import { describe, expect, test } from 'vitest'
import { generateSecret, keyHint } from './api-key.ts'

describe('keys', () => {
  test('a direct key is the prefix and 40 letters and digits', () => {
    expect(generateSecret('direct', 'mq-key-')).toMatch(/^mq-key-[A-Za-z0-9]{40}$/)
  })

  test('a marketplace key is 50 lower-case letters and digits and never starts with the prefix', () => {
    for (let i = 0; i < 500; i++) expect(generateSecret('marketplace', 'a')).toMatch(/^[b-z0-9][a-z0-9]{49}$/)
  })

  test('no two keys are alike', () => {
    const keys = new Set(Array.from({ length: 1000 }, () => generateSecret('direct')))
    expect(keys.size).toBe(1000)
  })

  test('a hint shows the prefix of a direct key and the last four characters', () => {
    expect(keyHint('direct', 'mq-key-abcdefgh', 'mq-key-')).toBe('mq-key-…efgh')
    expect(keyHint('marketplace', 'abcdefgh', 'mq-key-')).toBe('…efgh')
  })
})
