import { expect, test } from 'vitest'
import { exportFeed } from '../../src/ingest/export-feed.ts'
import { aDelta, aMovie } from '../support/builders.ts'
import { aTestService } from '../support/test-service.ts'

test('the attribution of a source is in the pages and in /attributions.json', async () => {
  const service = await aTestService([
    {
      kind: 'feed',
      source: 'acme',
      mode: 'snapshot',
      attribution: [
        { text: 'Data by Acme <b>& Sons</b>', link: 'https://acme.example/?a=1&b="2"' },
        { text: 'No link' },
      ],
    },
  ])
  await service.import([{ kind: 'feed', source: 'modest', mode: 'snapshot' }])
  const page = await service.raw('/docs')
  expect(page.text).toContain('&quot;text&quot;:&quot;Data by Acme &lt;b>&amp; Sons&lt;/b>&quot;')
  expect(page.text).toContain('&quot;text&quot;:&quot;No link&quot;')
  const { body } = await service.raw('/attributions.json')
  expect(body).toEqual([
    {
      source: 'acme',
      attribution: [
        { text: 'Data by Acme <b>& Sons</b>', link: 'https://acme.example/?a=1&b="2"' },
        { text: 'No link' },
      ],
    },
  ])
})

test('an export takes it along', async () => {
  const attribution = [{ text: 'Data by Acme', link: 'https://acme.example' }]
  const service = await aTestService([{ kind: 'feed', source: 'acme', mode: 'snapshot', attribution }])
  await service.import(aDelta(aMovie()), { source: 'acme' })
  const copy = await aTestService(exportFeed(service.ledger.catalog))
  expect((await copy.raw('/attributions.json')).body).toEqual([{ source: 'acme', attribution }])
})

test('an attribution that cannot be shown is noted and left out', async () => {
  const service = await aTestService()
  const report = await service.import([
    {
      kind: 'feed',
      source: 'acme',
      mode: 'snapshot',
      attribution: ['by me', { text: 'x', link: 'javascript:alert(1)' }],
    },
  ])
  expect(report.notices).toEqual({ ignored_field: 2 })
  expect((await service.raw('/attributions.json')).body).toEqual([])
  expect((await service.raw('/docs')).text).toContain('&quot;attributions&quot;:[]')
})
