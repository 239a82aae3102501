import { expect, test } from 'vitest'
import { ProviderDirectory } from '../../src/connectors/providers/provider-directory.ts'
import { buildShowRecord } from '../../src/connectors/watchmode/show-record.ts'
import { formatGolden } from '../support/import-source.ts'
import { buildTitle } from '../support/watchmode/title-documents.ts'

test.each([
  ['movie', 1],
  ['series', 3],
])('a %s becomes this record', async (name, id) => {
  const context = { countries: ['us', 'gb'], directory: new ProviderDirectory(), images: true }
  const record = buildShowRecord(buildTitle(id, 0), context)
  await expect(formatGolden([record])).toMatchFileSnapshot(`./golden/${name}.txt`)
})
