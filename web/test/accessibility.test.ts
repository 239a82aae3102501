import { beforeAll, expect, it } from 'vitest'
import { accessibilityViolations, DESK, findPageFaults, horizontalOverflow, PHONE } from './support/page-checks.ts'
import pages from './support/pages.json' with { type: 'json' }
import { describeInBrowser, goTo, openDemoSite, type Site, type VisitedPage } from './support/site.ts'

const PAGES = pages.viewers

describeInBrowser('every page for viewers', () => {
  let site: Site

  let visited: VisitedPage

  beforeAll(async () => {
    site = await openDemoSite()
    visited = await site.keepOpen('/?country=us&lang=en')
  })

  it.each(PAGES)('has no fault that axe finds at $path, light and dark, on phone and desk', async (one) => {
    const { page, problems } = visited
    const { path, ready } = one
    await goTo(page, `${path}${path.includes('?') ? '&' : '?'}country=us&lang=en`, ready)
    expect(await findPageFaults(page, PAGES.indexOf(one))).toEqual([])
    expect(problems).toEqual([])
  })

  it.each(['de', 'es', 'fr', 'pl', 'tr'])('fits on a phone in "%s" too', async (language) => {
    const { page, problems } = visited
    await page.setViewportSize(PHONE)
    for (const path of ['/browse', '/show/tt0903747', '/leaving', '/top']) {
      await goTo(page, `${path}?country=us&lang=${language}`, '.show-card, .offer, .change, .top')
      expect(await horizontalOverflow(page), path).toBe(0)
    }
    expect(problems).toEqual([])
  })

  it('is mirrored in a script that is read from right to left', async () => {
    const { page, problems } = visited
    for (const [path, ready] of [
      ['/browse', '.show-card'],
      ['/show/tt0068646', '.countries .table'],
    ] as const) {
      await goTo(page, `${path}?country=us&lang=en`, ready)
      for (const viewport of [PHONE, DESK]) {
        await page.setViewportSize(viewport)
        await page.evaluate(mirrorLanguage)
        expect(await horizontalOverflow(page), `${path} at ${viewport.width} px`).toBe(0)
      }
      const logo = await page.locator('.header-home').boundingBox()
      expect(logo?.x, 'the logo is on the right').toBeGreaterThan(DESK.width / 2)
    }
    expect(problems).toEqual([])
    await page.evaluate(() => document.documentElement.removeAttribute('dir'))
  })

  it('has no fault while the search lists what it found, and while filters are open on a phone', async () => {
    const { page } = await site.open('/browse?country=us&lang=en', { viewport: PHONE })
    await page.locator('.show-card').first().waitFor()
    await page.locator('.filters > summary').click()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await horizontalOverflow(page)).toBe(0)
    await page.getByRole('combobox', { name: 'Search for a title' }).fill('the')
    await page.getByRole('option').first().waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await horizontalOverflow(page)).toBe(0)
  })
})

/** Turns the page into a pseudo-language: letters of Hebrew in place of Latin ones, from right to left. It runs in the page. */
function mirrorLanguage(): void {
  document.documentElement.dir = 'rtl'
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const node = texts.currentNode as Text
    node.data = node.data.replace(/[a-z]/gi, (letter) =>
      String.fromCharCode(0x5d0 + (letter.toLowerCase().charCodeAt(0) % 26)),
    )
  }
}
