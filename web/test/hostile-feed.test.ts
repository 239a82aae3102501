import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { aMovie, anImageSet, anOption, aService, aSnapshot } from '../../server/test/support/builders.ts'
import { onFileFinished } from '../../server/test/support/file-cleanup.ts'
import { marquee, startMarquee } from '../../server/test/support/marquee-process.ts'
import { temporaryFolder } from '../../server/test/support/temporary-folder.ts'
import { horizontalOverflow } from './support/page-checks.ts'
import { describeInBrowser, goTo, openSite, type Site } from './support/site.ts'

const TITLE = '<img src=x onerror="window.attacked=1"> "title" \' &amp;'
const OVERVIEW = '<script>window.attacked=2</script></script><svg onload="window.attacked=3">'
/** Links that no import takes, and one that it takes and the pages do not link to. */
const CODE_LINKS = [
  'javascript:window.attacked=4',
  ' java\tscript:window.attacked=4',
  'DATA:text/html,<script>1</script>',
]
const LINK = 'intent://window.attacked=4'
const MARKED_LINK = 'https://netflix.test/"onmouseover="window.attacked=5'
const NAME = '<b onclick="window.attacked=6">Evil</b>'
const LOGO = 'intent:window.attacked=7'
const ATTRIBUTION = '"><script>window.attacked=9</script> & <b>source</b>'
const LONG_WORD = 'Donaudampfschifffahrt'.repeat(9)
const HEBREW = 'שלום, עולם!'
const COLOUR = 'red;background:url(https://evil.test/)'

describeInBrowser('a feed that means harm', () => {
  let site: Site

  beforeAll(async () => {
    const folder = temporaryFolder(onFileFinished)
    const env = { MARQUEE_DATA: join(folder, 'data'), MARQUEE_WORKERS: '1' }
    const feed = join(folder, 'feed.ndjson')
    const images = anImageSet('"><script>window.attacked=8</script>')
    const records = aSnapshot(
      aService('netflix', {
        name: NAME,
        hasTopList: true,
        homePage: LINK,
        themeColorCode: COLOUR,
        imageSet: { lightThemeImage: LOGO, darkThemeImage: LOGO, whiteImage: LOGO },
      }),
      aMovie({
        id: '66',
        title: TITLE,
        originalTitle: TITLE,
        overview: OVERVIEW,
        cast: [TITLE],
        directors: [OVERVIEW],
        imageSet: images,
        streamingOptions: {
          us: [
            anOption({ link: LINK, videoLink: LINK }),
            anOption({ type: 'free', link: MARKED_LINK }),
            ...CODE_LINKS.map((link) => anOption({ type: 'buy', link })),
          ],
        },
      }),
      aMovie({ id: '67', title: LONG_WORD, originalTitle: HEBREW, overview: HEBREW, cast: [LONG_WORD] }),
    )
    Object.assign(records[0] as object, {
      attribution: [
        { text: ATTRIBUTION, link: 'https://source.test/about' },
        { text: 'No link', link: LINK },
      ],
    })
    records.push({ kind: 'top', country: 'us', service: 'netflix', showType: 'movie', shows: ['66'] })
    writeFileSync(feed, records.map((record) => JSON.stringify(record)).join('\n'))
    const { code, stdout, stderr } = await marquee(['import', feed, '--json'], env)
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout).notices).toMatchObject({ unsafe_link: CODE_LINKS.length })
    site = await openSite(await startMarquee(env))
  })

  it.each(['/show/66', '/', '/browse', '/search?title=title', '/new', '/top'])(
    'shows as text and runs nothing at %s',
    async (path) => {
      const { page, problems } = await site.open(`${path}${path.includes('?') ? '&' : '?'}country=us&lang=en`)
      await page.locator('main').getByText('window.attacked=1').first().waitFor()
      const field = page.getByRole('combobox', { name: 'Search for a title' })
      await field.fill('img')
      await page.getByRole('option').first().waitFor()
      expect(await page.evaluate(() => (window as { attacked?: number }).attacked)).toBeUndefined()
      expect(await page.locator('main script, main b, main svg[onload], main img[src="x"]').count()).toBe(0)
      const links = await page
        .locator('a')
        .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol))
      expect(links.filter((protocol) => !/^https?:$/.test(protocol))).toEqual([])
      // Images of the feed lie on hosts that do not exist.
      const own = problems.filter(
        (problem) => !problem.includes('images.test') && !problem.includes('ERR_NAME_NOT_RESOLVED'),
      )
      expect(own).toEqual([])
    },
  )

  it('is shown word for word, and what is no link has none', async () => {
    const { page } = await site.open('/show/66?country=us&lang=en')
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(TITLE)
    expect(await page.locator('.show-overview').textContent()).toBe(OVERVIEW)
    const offers = page.locator('.offer')
    expect(await offers.count()).toBe(2)
    expect(await offers.nth(0).textContent()).toContain(`Watch on ${NAME}`)
    expect(await offers.nth(0).getByRole('link').count()).toBe(0)
    expect(await offers.nth(1).getByRole('link').getAttribute('href')).toMatch(/^https:\/\/netflix\.test\//)
    expect(await page.locator('.demo-banner').count()).toBe(0)
    const sources = page.getByRole('region', { name: 'Sources' })
    expect(await sources.getByRole('link').allTextContents()).toEqual([ATTRIBUTION])
    expect(await sources.getByRole('link').getAttribute('href')).toBe('https://source.test/about')
  })

  it('leaves no gap for a wide picture that cannot be loaded', async () => {
    const { page } = await site.open('/show/66?country=us&lang=en')
    await expect.poll(() => page.locator('.show-backdrop').count()).toBe(0)
    const top = await page.locator('.show-title').evaluate((title) => title.getBoundingClientRect().top)
    const head = await page.locator('.show-head').evaluate((element) => element.getBoundingClientRect().top)
    expect(top - head).toBeLessThan(50)
  })

  it('never makes a page scroll sideways with a long word, and is written in its own direction', async () => {
    const { page } = await site.open('/show/67?country=us&lang=en', { viewport: { width: 360, height: 740 } })
    await page.getByRole('heading', { level: 1, name: LONG_WORD }).waitFor()
    expect(await horizontalOverflow(page)).toBe(0)
    const directionOf = (selector: string) =>
      page.locator(selector).evaluate((element) => getComputedStyle(element).direction)
    expect(await directionOf('.show-overview')).toBe('rtl')
    expect(await directionOf('h1')).toBe('ltr')
    for (const path of ['/browse', '/new', '/search?title=Donau']) {
      // The search box has it too, in a list that is not open.
      await goTo(page, `${path}${path.includes('?') ? '&' : '?'}country=us&lang=en`, `main :text("${LONG_WORD}")`)
      expect(await horizontalOverflow(page), path).toBe(0)
    }
  })

  it('is served under a policy that lets no script in', async () => {
    const { headers } = await fetch(`${site.service.address}/show/66`)
    const policy = headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("style-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Cache-Control')).toBe('private, no-cache')
  })
})
