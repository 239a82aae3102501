import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type BlockResult, checkPage } from './check-page.ts'
import { PageShell } from './page-shell.ts'
import { makeWorld, type PageNeeds, REPOSITORY } from './page-world.ts'

/* Runs every block of README.md and docs/*.md: `npm run docs:check`, or with a part of the names of pages. */

/** What pages need before their first block. */
const NEEDS: Readonly<Record<string, PageNeeds>> = {
  'README.md': { clone: true },
  'docs/assistants.md': { demo: 'serves' },
  'docs/being-told.md': { demo: 'serves' },
  'docs/connectors.md': { demo: 'serves', tmdb: { movies: 30, series: 10 } },
  'docs/errors.md': { demo: 'serves' },
  'docs/feeds.md': { demo: 'serves' },
  'docs/first-catalog.md': { tmdb: { movies: 30, series: 10 } },
  'docs/nodes.md': { postgres: true },
  'docs/operating.md': { demo: 'data', tmdb: { movies: 30, series: 10 } },
  'docs/platform.md': { demo: 'data' },
  'docs/schedules.md': { tmdb: { movies: 6, series: 2 } },
  'docs/tmdb.md': { tmdb: { movies: 30, series: 10 } },
  'docs/using-the-api.md': { demo: 'serves' },
}

const pages = [
  'README.md',
  ...readdirSync(join(REPOSITORY, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const wanted = (process.env.MARQUEE_PAGES ?? '').split(' ')
const results: BlockResult[] = []

test.each(pages.filter((page) => wanted.some((part) => page.includes(part))))(
  '%s',
  { timeout: 1_800_000 },
  async (page) => {
    const world = await makeWorld(NEEDS[page] ?? {})
    const shell = new PageShell(world.folder, temporaryFolder(), world.env)
    onTestFinished(() => shell.close())
    const ofPage = await checkPage(page, readFileSync(join(REPOSITORY, page), 'utf8'), world, shell)
    results.push(...ofPage)
    expect(ofPage.filter(({ outcome }) => outcome === 'failed').length, `blocks of ${page} that failed`).toBe(0)
  },
)

afterAll(() => {
  const count = (outcome: BlockResult['outcome']) => results.filter((result) => result.outcome === outcome).length
  const list = (title: string, outcome: BlockResult['outcome']) => {
    const lines = results
      .filter((result) => result.outcome === outcome)
      .map(({ block, detail }) => `  ${block.page}:${block.line}: ${detail}\n`)
    return lines.length === 0 ? '' : `${title}:\n${lines.join('')}`
  }
  process.stdout.write(
    `${list('not run, with the reason', 'skipped')}${list('failed', 'failed')}${results.length} blocks: ` +
      `${count('run')} run, ${count('compared')} run or printed and compared with the page, ` +
      `${count('parsed')} parsed or type-checked, ${count('skipped')} not run, ${count('failed')} failed\n`,
  )
})
