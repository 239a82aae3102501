import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { NOTICE_CODES, type NoticeCode, NoticeLog } from './import-report.ts'

describe('the table of notices', () => {
  const page = readFileSync(new URL('../../../docs/feeds.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\|\s*`(\w+)`\s*\|\s*(error|warning|info)\s*\|/gm)]
  const documented = new Map(rows.map((row) => [row[1], row[2]]))

  test.each(Object.entries(NOTICE_CODES))('%s is documented with its severity', (code, [severity]) => {
    expect(documented.get(code)).toBe(severity)
  })

  test('nothing else is documented, and nothing twice', () => {
    expect([...documented.keys()].filter((code) => !Object.hasOwn(NOTICE_CODES, code as NoticeCode))).toEqual([])
    expect(rows).toHaveLength(documented.size)
  })
})

describe('NoticeLog', () => {
  test('keeps the first notices of each code, and counts all of them', () => {
    const log = new NoticeLog(2)
    for (let line = 1; line <= 3; line++) log.add('unreadable_line', 'No JSON', { line })
    log.add('missing_images', 'No posters', { line: 4, record: 'tt1' })
    expect(log.counts).toEqual({ unreadable_line: 3, missing_images: 1 })
    expect(log.notices).toEqual([
      { code: 'unreadable_line', severity: 'error', line: 1, message: 'No JSON' },
      { code: 'unreadable_line', severity: 'error', line: 2, message: 'No JSON' },
      { code: 'missing_images', severity: 'warning', line: 4, record: 'tt1', message: 'No posters' },
    ])
  })

  test('reports whether a code has occurred', () => {
    const log = new NoticeLog(0)
    log.add('truncated_feed', 'The end is missing')
    expect(log.has('truncated_feed')).toBe(true)
    expect(log.has('unreadable_line')).toBe(false)
    expect(log.notices).toEqual([])
  })
})
