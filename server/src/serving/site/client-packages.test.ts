import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { Site } from '../../http/site/page.ts'
import { createClientPackages } from './client-packages.ts'

const ORIGIN = 'https://marquee.test'

it('lists wheels and source archives with their digests, and serves nothing else', async () => {
  const folder = temporaryFolder()
  const names = ['marquee_client-1.0-py3-none-any.whl', 'marquee_client-1.0.tar.gz']
  for (const name of [...names, 'notes.txt']) writeFileSync(join(folder, name), name)
  mkdirSync(join(folder, 'inner'))
  const [below, exact] = createClientPackages(folder) as [Site, Site]
  const page = String((await below.serve('', ORIGIN))?.body)
  expect(page.match(/>marquee_client-[^<]+</g)).toEqual(names.map((name) => `>${name}<`))
  expect(page.match(/#sha256=[0-9a-f]{64}"/g)).toHaveLength(2)
  expect(String((await exact.serve('', ORIGIN))?.body)).toBe(page)
  expect(await below.serve(names[0] as string, ORIGIN)).toMatchObject({ contentType: 'application/zip' })
  for (const path of ['notes.txt', 'inner', '../package.json', 'other/']) {
    expect(await below.serve(path, ORIGIN)).toBeUndefined()
  }
})

it('is a proxy of the Go module, and has the package of npm under a name without a version', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'marquee-client.tgz'), 'npm')
  writeFileSync(join(folder, 'marquee-go-v1.2.3.mod'), 'module example.com/marquee\n\ngo 1.19\n')
  writeFileSync(join(folder, 'marquee-go-v1.2.3.zip'), 'zip')
  const [below] = createClientPackages(folder) as [Site, Site]
  const body = async (path: string) => String((await below.serve(path, ORIGIN))?.body)
  expect(await body('marquee-client.tgz')).toBe('npm')
  expect(await body('go/example.com/marquee/@v/list')).toBe('v1.2.3\n')
  expect(JSON.parse(await body('go/example.com/marquee/@latest'))).toMatchObject({ Version: 'v1.2.3' })
  expect(await body('go/example.com/marquee/@v/v1.2.3.info')).toContain('v1.2.3')
  expect(await body('go/example.com/marquee/@v/v1.2.3.mod')).toContain('go 1.19')
  expect(await body('go/example.com/marquee/@v/v1.2.3.zip')).toBe('zip')
  expect(await below.serve('go/example.com/other/@v/list', ORIGIN)).toBeUndefined()
  // pip is shown Python packages only.
  expect(await body('marquee-client/')).not.toContain('.tgz')
})

it('has no pages where nothing was packed', async () => {
  const [below] = createClientPackages(join(temporaryFolder(), 'none')) as [Site, Site]
  expect(await below.serve('', ORIGIN)).toBeUndefined()
})
