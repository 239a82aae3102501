import { expect, test } from 'vitest'
import { ProviderDirectory } from '../../src/connectors/providers/provider-directory.ts'
import { buildShowRecord } from '../../src/connectors/tvmaze/show-record.ts'
import { formatGolden } from '../support/import-source.ts'
import { buildShowDocument } from '../support/tvmaze/tvmaze-stand-in.ts'

test('a show that the catalog does not have becomes this record', async () => {
  const leftOut: string[] = []
  const context = {
    countries: ['us', 'gb'],
    directory: new ProviderDirectory(),
    onLeftOut: (detail: string) => leftOut.push(detail),
  }
  const record = buildShowRecord(buildShowDocument(4, 0), undefined, context)
  await expect(formatGolden([record])).toMatchFileSnapshot('./golden/series.txt')
  expect(leftOut).toEqual([])
})

test('episodes of seasons that are named after years are left out, with a note', () => {
  const leftOut: string[] = []
  const show = buildShowDocument(4, 0)
  const episodes = [{ id: 1, name: 'News', season: 2014, number: 1, airdate: '2014-03-01' }]
  const record = buildShowRecord({ ...show, _embedded: { episodes, cast: [], akas: [] } }, undefined, {
    countries: [],
    directory: new ProviderDirectory(),
    onLeftOut: (detail) => leftOut.push(detail),
  })
  expect(record.seasons).toEqual([])
  expect(leftOut).toEqual(['Episodes of "Quay 4" are left out: season 2014: seasons are numbered from 1 to 500'])
})
