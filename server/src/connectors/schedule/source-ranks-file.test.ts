import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { readSourceRanks, writeSourceRanks } from './source-ranks-file.ts'
import { parseSources } from './sources-file.ts'

const ENTRY = { name: 'acme', from: 'https://acme.test/feed', every: '1 day' }

function aFile(content?: unknown): string {
  const file = join(temporaryFolder(), 'sources.json')
  if (content !== undefined) writeFileSync(file, JSON.stringify(content))
  return file
}

test('ranks are written beside the schedule, which stays as it is', () => {
  const file = aFile([ENTRY])
  expect(readSourceRanks(file)).toEqual({ all: [], fields: {} })
  const ranks = { all: ['tmdb', 'acme'], fields: { overview: ['acme'] } }
  writeSourceRanks(file, ranks)
  expect(readSourceRanks(file)).toEqual(ranks)
  expect(parseSources(readFileSync(file, 'utf8'), file)).toMatchObject([{ name: 'acme', every: 86_400 }])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    ranks: { '*': ['tmdb', 'acme'], overview: ['acme'] },
    sources: [ENTRY],
  })
})

test('the file is made for ranks alone, and no file has none', () => {
  const file = aFile()
  expect(readSourceRanks(file)).toEqual({ all: [], fields: {} })
  writeSourceRanks(file, { all: ['tmdb'], fields: {} })
  expect(parseSources(readFileSync(file, 'utf8'), file)).toEqual([])
})

test('everything that is wrong with ranks is named', () => {
  const file = aFile({ ranks: { '*': ['a', 'a'], plot: ['a'], cast: 'a' } })
  expect(() => readSourceRanks(file)).toThrow(
    /"ranks\.\*" is .* different names[\s\S]*"plot", which is no field; known are \*, title[\s\S]*"ranks\.cast" is "a"/,
  )
  expect(() => parseSources(JSON.stringify({ rank: {}, sources: [] }), 'sources.json')).toThrow(
    '"rank" is not known; known are sources, ranks',
  )
})
