import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { marquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const pathOf = (name: string) => fileURLToPath(new URL(`../connectors/${name}`, import.meta.url))

it('the commands take a format by name, from a file or from standard input, with its options', async () => {
  const env = { MARQUEE_DATA: temporaryFolder() }
  const options = ['--format', 'media-actions', '--countries', 'us,de', '--json']
  const checked = await marquee(['validate', pathOf('media-actions/feed.json'), ...options], env)
  const feed = readFileSync(pathOf('media-actions/feed.json'))
  const imported = await marquee(['import', '-', ...options], env, feed)
  expect([checked.code, imported.code, checked.stderr, imported.stderr]).toEqual([0, 0, '', ''])
  expect(JSON.parse(imported.stdout)).toMatchObject({
    source: 'media-actions/acme',
    shows: 2,
    notices: { left_out: 1 },
  })
  expect({ ...JSON.parse(checked.stdout), version: 0 }).toEqual({ ...JSON.parse(imported.stdout), version: 0 })
  const enriched = await marquee(['import', pathOf('imdb'), '--format', 'imdb', '--source', 'ratings', '--json'], env)
  expect(JSON.parse(enriched.stdout)).toMatchObject({ source: 'ratings', shows: 1, altered: 1 })
})

it('a table is imported with a guessed mapping, which later imports use', async () => {
  const folder = temporaryFolder()
  const env = { MARQUEE_DATA: join(folder, 'data') }
  const path = join(folder, 'netflix_titles.csv')
  copyFileSync(pathOf('csv/netflix_titles.csv'), path)
  const template = ['--link-template', 'https://www.netflix.com/title/{show_id}']
  const options = ['--guess', '--service', 'netflix', '--countries', 'us', ...template]
  const shown = await marquee(['validate', path, ...options], env)
  expect([shown.code, shown.stderr]).toEqual([0, ''])
  expect(shown.stdout).toMatch(/^date_added +availableSince +dates as MMMM D, YYYY$/m)
  expect(readdirSync(folder)).not.toContain('netflix_titles.mapping.json')
  const unasked = await marquee(['import', path, ...options], env)
  expect([unasked.code, unasked.stdout]).toEqual([1, ''])
  expect(unasked.stderr).toContain('Nobody can be asked whether the guessed mapping is right')
  const imported = await marquee(['import', path, ...options, '--yes', '--json'], env)
  const mappingFile = join(folder, 'netflix_titles.mapping.json')
  expect(JSON.parse(imported.stdout)).toMatchObject({ source: 'csv/netflix', shows: 48, notices: {}, mappingFile })
  const again = await marquee(['import', path, '--mapping', mappingFile, '--json'], env)
  expect(JSON.parse(again.stdout)).toMatchObject({ source: 'csv/netflix', unchanged: 48, created: 0 })
})

it('the notices of a table are printed by column, with the number of cells', async () => {
  const folder = temporaryFolder()
  const rows = Array.from({ length: 30 }, (_, i) => `T${i},movie,${i < 2 ? 'unclear' : '2001'},https://a.test/${i}`)
  writeFileSync(join(folder, 'a.csv'), `title,type,year,link\n${rows.join('\n')}\n`)
  const options = ['--guess', '--yes', '--service', 'acme', '--countries', 'us']
  const { code, stdout } = await marquee(['import', join(folder, 'a.csv'), ...options], { MARQUEE_DATA: folder })
  expect(code).toBe(0)
  expect(stdout).toContain('warning ignored_field (2)')
  expect(stdout).toContain(
    '  column year, 2 cells: "unclear" (line 2), "unclear" (line 3); a year such as 1999 is needed',
  )
})

it('a table without a mapping is refused with what to do', async () => {
  const env = { MARQUEE_DATA: temporaryFolder() }
  const { code, stderr } = await marquee(['import', pathOf('csv/netflix_titles.csv')], env)
  expect([code, stderr]).toEqual([1, expect.stringContaining('--guess makes a mapping of its columns')])
})

it('the help texts name every format with its options', async () => {
  const { stdout } = await marquee(['import', '--help'], {})
  for (const name of ['native', 'csv', 'imdb', 'media-actions', 'tv-search-feed', 'top-10'])
    expect(stdout).toContain(name)
  expect(stdout).toContain('--service <id> --link-template <url> [--service-name <name>] [--countries <codes>]')
})

it.each([
  [['--format', 'rss'], 'There is no format "rss"; the formats are native, csv, imdb, media-actions'],
  [['--format', 'tv-search-feed', '--service', 'acme'], 'The format tv-search-feed needs --link-template <url>: '],
  [['--format', 'top-10', '--create'], 'The format top-10 has no option --create'],
  [
    ['--format', 'media-actions', '--countries', 'usa!'],
    '--countries is "usa!"; it must be country codes such as us,gb',
  ],
  [['--format', 'imdb'], 'cannot be read: it is no folder'],
  [['--source', ''], '--source is ""; it must be a text of 1 to 100 characters without control characters'],
  [['--source', 'x'.repeat(3_000)], 'x"; it must be a text of 1 to 100 characters'],
])('%.60j is refused in a sentence', async (options, message) => {
  const args = ['import', pathOf('media-actions/feed.json'), ...options]
  const { code, stdout, stderr } = await marquee(args, { MARQUEE_DATA: temporaryFolder() })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^marquee: /)
  expect(stderr).toContain(message)
  expect(stderr).not.toContain('    at ')
})
