import { beforeAll, expect, it } from 'vitest'
import type { DemoService } from '../../server/test/support/demo-service.ts'
import { marquee } from '../../server/test/support/marquee-process.ts'
import { accessibilityViolations, DESK, findPageFaults, horizontalOverflow, PHONE } from './support/page-checks.ts'
import pages from './support/pages.json' with { type: 'json' }
import { aPerson, send, signUpWithKey } from './support/person.ts'
import { describeInBrowser, goTo, openDemoSite, type Site, type VisitedPage } from './support/site.ts'
import { importUnofferedShow } from './support/unoffered-show.ts'

const BOSS = { email: 'boss@example.com', password: 'boss of everything here' }

const { public: PUBLIC, signedIn: SIGNED_IN } = pages

describeInBrowser('every page for developers and operators', () => {
  let site: Site<DemoService>
  let stranger: VisitedPage
  let admin: VisitedPage

  beforeAll(async () => {
    site = await openDemoSite()
    await marquee(['admin', 'create', BOSS.email], site.service.env, Buffer.from(`${BOSS.password}\n`))
    await importUnofferedShow(site.service.env)
    stranger = await site.keepOpen('/docs?country=us&lang=en', { reducedMotion: 'reduce' })
    admin = await site.keepOpen('/docs?country=us&lang=en', { reducedMotion: 'reduce' })
    // An admin who has used a key, and not only well.
    await send(admin.page, 'POST', '/sign-in', BOSS)
    const { key } = await send<{ key: string }>(admin.page, 'POST', '/keys', { name: 'my app' })
    for (const part of ['/genres', '/shows/none', '/changes']) {
      await fetch(`${site.service.address}/v4${part}`, { headers: { 'X-API-Key': key } })
    }
    await admin.page.reload()
  })

  it.each(PUBLIC)('has no fault that axe finds at $path, light and dark, on phone and desk', async (one) => {
    const { page, problems } = stranger
    await goTo(page, `${one.path}?country=us&lang=en`, one.ready)
    expect(await findPageFaults(page, PUBLIC.indexOf(one))).toEqual([])
    expect(problems).toEqual([])
  })

  it.each(SIGNED_IN)('has no fault that axe finds at $path, light and dark, on phone and desk', async (one) => {
    const { page, problems } = admin
    await goTo(page, `${one.path}?country=us&lang=en`, one.ready)
    expect(await findPageFaults(page, SIGNED_IN.indexOf(one))).toEqual([])
    expect(problems).toEqual([])
  })

  it('has no fault with a secret, a dialog, tables in place of charts, or an answer in view', async () => {
    const { page } = admin
    await page.setViewportSize(DESK)
    await goTo(page, '/dashboard?country=us&lang=en', 'figure svg')
    for (const table of await page.getByText('Table', { exact: true }).all()) await table.click()
    expect([await accessibilityViolations(page), await horizontalOverflow(page)]).toEqual([[], 0])
    await page.setViewportSize(PHONE)
    expect(await horizontalOverflow(page)).toBe(0)
    await goTo(page, '/dashboard/keys?country=us&lang=en', '.key-card')
    await page.getByLabel('Name').fill('x'.repeat(100))
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.locator('.new-secret').waitFor()
    expect([await accessibilityViolations(page), await horizontalOverflow(page)]).toEqual([[], 0])
    await page.getByRole('button', { name: 'Rotate' }).first().click()
    expect([await accessibilityViolations(page), await horizontalOverflow(page)]).toEqual([[], 0])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Use it in the examples' }).click()
    await page.locator('.code-block mark').first().waitFor()
    await goTo(page, '/docs/api/getShow?country=us&lang=en', '.try-it')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.trial-answer').waitFor()
    expect([await accessibilityViolations(page), await horizontalOverflow(page)]).toEqual([[], 0])
  })

  it.each(['es', 'fr', 'tr'])('speaks "%s", and fits on a phone in it', async (language) => {
    const { page, problems } = admin
    await page.setViewportSize(PHONE)
    const titles = new Set<string | null>()
    for (const { path, ready } of [...PUBLIC.slice(3), ...SIGNED_IN]) {
      await goTo(page, `${path}?country=us&lang=${language}`, ready)
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      expect(await horizontalOverflow(page), path).toBe(0)
      titles.add(await page.getByRole('heading', { level: 1 }).textContent())
    }
    // What the description of the API calls an endpoint stays as it is.
    titles.delete('Search shows by filters')
    for (const english of ['Usage', 'Keys', 'Account', 'Getting started', 'Operator', 'Audit log']) {
      expect([...titles]).not.toContain(english)
    }
    expect(problems).toEqual([])
  })

  it('is worked with the keyboard alone', async () => {
    const { page, problems } = await site.open('/dashboard/keys?country=us&lang=en')
    await signUpWithKey(page, aPerson(), { name: 'to be revoked' })
    await page.reload()
    await page.getByRole('button', { name: 'Revoke' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Revoke “to be revoked”?' })
    await dialog.waitFor()
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    // The browser closes a dialog before the page removes it, and until then it cannot be opened again.
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Revoke' }).press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('No keys yet.').waitFor()
    expect(problems).toEqual([])
  })
})
