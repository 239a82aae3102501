import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, goTo, openDemoSite, type Site } from './support/site.ts'

describeInBrowser('an address that is not right', () => {
  let site: Site

  beforeAll(async () => {
    site = await openDemoSite()
  })

  it.each(['/nope', '/show/%E0%A4%A', '/docs/api/nope'])('leads on from %s', async (path) => {
    const { page, problems } = await site.open(`${path}?country=gb&lang=es`)
    await page.getByRole('heading', { level: 1, name: 'Esta página no existe' }).waitFor()
    await page.getByRole('link', { name: 'Ir al inicio' }).click()
    await page.locator('.show-card').first().waitFor()
    expect(new URL(page.url()).searchParams.get('country')).toBe('gb')
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
  })

  it('says so without a script, and with the right status', async () => {
    const { page } = await site.open('/healthz', { javaScriptEnabled: false })
    expect((await page.goto(`${site.service.address}/nope?lang=en`))?.status()).toBe(404)
    await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor()
    for (const path of ['/show/%E0%A4%A', '/show/tt99999999', '/docs/api/nope']) {
      expect((await page.goto(site.service.address + path))?.status(), path).toBe(404)
    }
    for (const path of ['/show/tt0903747', '/top', '/docs/api/getShow']) {
      expect((await page.goto(site.service.address + path))?.status(), path).toBe(200)
    }
    // Where a page needs a script, this is what one sees of it, with ways to what needs none.
    const notice = page.locator('.no-script')
    expect((await notice.boundingBox())?.y).toBe(0)
    await notice.getByRole('link', { name: 'the pages for viewers' }).click()
    await page.locator('.show-card').first().waitFor()
  })

  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

  it.each([
    { path: `/leaving?day=${day(-1)}`, lang: 'en', said: 'This day is over', all: 'All days' },
    { path: `/upcoming?day=${day(-9)}`, lang: 'es', said: 'Este día ya ha pasado', all: 'Todos los días' },
    { path: `/new?day=${day(-40)}`, lang: 'fr', said: 'Ce jour est passé', all: 'Tous les jours' },
    { path: `/leaving?day=${day(40)}`, lang: 'en', said: 'Nothing is known of this day yet', all: 'All days' },
  ])('says of $path what has become of the day', async ({ path, lang, said, all }) => {
    const { page, problems } = await site.open(`${path}&country=us&lang=${lang}`)
    await page.getByText(said).waitFor()
    await page.locator('.notice').getByRole('link', { name: all }).click()
    await page.locator('.endless').waitFor()
    expect(new URL(page.url()).searchParams.has('day')).toBe(false)
    // Nothing was asked that the service has to refuse.
    expect(problems).toEqual([])
  })

  it('reads the filters of an address as far as they make sense, and keeps no others', async () => {
    const query = 'rating_min=500&year_min=2020&year_max=1950&genres=nonsense,drama&catalogs=nowhere,netflix,prime.x'
    const { page, problems } = await site.open(`/browse?${query}&country=us&lang=en`, { hasPictures: false })
    const chips = page.locator('.active-filters button')
    const wanted = ['Netflix×', 'Drama×', 'From 1950×', 'Until 2020×', 'Rating from 100×']
    await expect.poll(() => chips.allTextContents()).toEqual(wanted)
    await page.getByText('Nothing fits all of these filters').waitFor()
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('catalogs'), searchParams.get('genres')]).toEqual(['netflix', 'drama'])
    expect(problems).toEqual([])
  })

  it('drops services that another country lacks, and leaves no choice blank', async () => {
    const { page, problems } = await site.open('/browse?catalogs=hulu&country=us&lang=en', { hasPictures: false })
    await page.locator('.active-filters button').waitFor()
    await page.getByLabel('Country').selectOption('gb')
    await expect.poll(() => new URL(page.url()).searchParams.get('catalogs')).toBeNull()
    await page.locator('.show-card h3').first().waitFor()

    await goTo(page, '/new?service=hulu&country=gb&lang=en', '.change')
    expect(new URL(page.url()).searchParams.has('service')).toBe(false)
    const chosen = await page.locator('select').evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value))
    expect(chosen).toEqual(['gb', 'en', '', 'show', ''])
    expect(problems).toEqual([])
  })

  it('counts in the calendar only days that are known as a whole', async () => {
    const { page } = await site.open('/new?service=hulu&country=us&lang=en', { hasPictures: false })
    await page.locator('.change').first().waitFor()
    const counts = page.locator('.days-count')
    await scrollToEnd(page)
    const all = await counts.allTextContents()
    expect(all).not.toContain('')
    const sum = all.reduce((before, text) => before + Number(text), 0)
    await page.getByText(`That is all: ${sum} titles`).waitFor()
    const few = all.indexOf(String(Math.min(...all.map(Number).filter((count) => count > 0))))
    await page.locator('.days td a').nth(few).click()
    await expect.poll(() => new URL(page.url()).searchParams.has('day')).toBe(true)
    await page.locator('.change').first().waitFor()
    await scrollToEnd(page)
    await page.getByText('Days without a number are not counted yet.').waitFor()
    await expect.poll(async () => (await counts.allTextContents()).filter((text) => text !== '')).toEqual([all[few]])
  })
})

/** Scrolls until the last page of the list is loaded. */
async function scrollToEnd(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 6000)
      return page.getByText(/^That is all/).isVisible()
    })
    .toBe(true)
}
