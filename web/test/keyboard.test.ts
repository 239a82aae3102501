import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInBrowser, goTo, openDemoSite, type Site } from './support/site.ts'

describeInBrowser('whoever uses the keyboard, colours of their own, or the way back', () => {
  let site: Site

  beforeAll(async () => {
    site = await openDemoSite()
  })

  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

  it('keeps its place when the list of the search closes', async () => {
    const { page } = await site.open('/top?country=us&lang=en', { hasPictures: false })
    const field = page.getByRole('combobox', { name: 'Search for a title' })
    await field.fill('the')
    await page.getByRole('option').first().waitFor()
    await field.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Country')
  })

  it('keeps its place when filters go', async () => {
    const { page } = await site.open('/browse?genres=crime,drama&show_type=movie&country=us&lang=en', {
      hasPictures: false,
    })
    const remove = (name: string) => page.getByRole('button', { name: `Remove ${name}` })
    await remove('Crime').press('Enter')
    await expect.poll(() => focused(page)).toBe('Drama×')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toBe('Movie×')
    await page.getByRole('link', { name: 'Clear all' }).press('Enter')
    await expect.poll(() => focused(page)).toBe('Filters')
    expect(await page.locator('.active-filters button').count()).toBe(0)
  })

  it('keeps its place when a pasted key is taken', async () => {
    const { page } = await site.open('/docs/start?country=us&lang=en')
    await page.getByLabel('paste').fill('mq-key-of-somebody')
    await page.getByRole('button', { name: 'Use it here' }).press('Enter')
    await page.getByRole('button', { name: 'Remove it' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.matches('.steps li *'))).toBe(true)
  })

  it('is told that nothing was found', async () => {
    const { page } = await site.open('/browse?keyword=qqqqzzzz&country=us&lang=en')
    await page.getByRole('status').getByText('Nothing fits all of these filters').waitFor()
    await goTo(page, '/search?title=qqqqzzzz&country=us&lang=en', '.notice')
    await page.getByRole('status').getByText('No title like this is known').waitFor()
  })

  it('sees what is chosen in colours of their own', async () => {
    const { page } = await site.open('/top?country=us&lang=en', { forcedColors: 'active', hasPictures: false })
    const look = (selector: string, property: 'backgroundColor' | 'borderBottomColor') =>
      page
        .locator(selector)
        .first()
        .evaluate((element, name) => getComputedStyle(element)[name], property)
    await page.locator('.chip').first().waitFor()
    expect(await look('.chip[aria-current]', 'backgroundColor')).not.toBe(
      await look('.chip:not([aria-current])', 'backgroundColor'),
    )
    expect(await look('.header-nav a[aria-current]', 'borderBottomColor')).not.toBe(
      await look('.header-nav a:not([aria-current])', 'borderBottomColor'),
    )
    await goTo(page, '/docs/start?country=us&lang=en', '.segments')
    expect(await look('.segments label:has(:checked)', 'backgroundColor')).not.toBe(
      await look('.segments label:not(:has(:checked))', 'backgroundColor'),
    )
  })

  it('finds the place again: back from other filters, forward, and after loading anew', async () => {
    const { page, problems } = await site.open('/browse?country=us&lang=en', { hasPictures: false })
    const first = page.locator('.show-card h3').first()
    await first.waitFor()
    const top = () => page.evaluate(() => window.scrollY)
    const scroll = (to: number) =>
      page.evaluate(
        (y) =>
          new Promise<void>((resolve) => {
            window.addEventListener('scroll', () => resolve(), { once: true })
            window.scrollTo(0, y)
          }),
        to,
      )
    await scroll(700)
    // A click of the mouse would first bring the button into view.
    await page.locator('.filters').getByRole('button', { name: 'Horror', exact: true }).dispatchEvent('click')
    // The new list starts right below the head of the page, which stays in view.
    const listTop = () => page.locator('.browse-found').evaluate((list) => Math.floor(list.getBoundingClientRect().top))
    await expect.poll(listTop).toBe(112)
    await first.waitFor()
    await scroll(200)
    await page.goBack()
    await expect.poll(top).toBe(700)
    await page.goForward()
    await expect.poll(top).toBe(200)
    await page.reload()
    await expect.poll(top).toBe(200)
    expect(problems).toEqual([])
  })
})
