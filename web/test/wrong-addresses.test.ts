import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, openDemoSite, type Site } from './support/site.ts'

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
    const { page } = await site.openAlone('/healthz', { javaScriptEnabled: false })
    expect((await page.goto(`${site.service.address}/nope?lang=en`))?.status()).toBe(404)
    await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor()
    for (const path of ['/show/%E0%A4%A', '/show/tt99999999', '/docs/api/nope']) {
      expect((await page.goto(site.service.address + path))?.status(), path).toBe(404)
    }
    for (const path of ['/show/tt0903747', '/docs/api/getShow', '/top']) {
      expect((await page.goto(site.service.address + path))?.status(), path).toBe(200)
    }
    // Where a page needs a script, this is what one sees of it, with ways to what needs none.
    const notice = page.locator('.no-script')
    expect((await notice.boundingBox())?.y).toBe(0)
    await notice.getByRole('link', { name: 'the start page' }).click()
    await page.locator('.show-card').first().waitFor()
  })
})
