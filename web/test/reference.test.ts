import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import type { DemoService } from '../../server/test/support/demo-service.ts'
import { marquee } from '../../server/test/support/marquee-process.ts'
import { aPerson, send, signUpWithKey } from './support/person.ts'
import { describeInBrowser, openDemoSite, type Site } from './support/site.ts'

describeInBrowser('the reference', () => {
  let site: Site<DemoService>

  beforeAll(async () => {
    site = await openDemoSite()
  })

  it('has every endpoint of the description, with all its parameters', async () => {
    const { page, problems } = await site.open('/docs/?country=us&lang=en')
    const openApi = (await (await fetch(`${site.service.address}/openapi.json`)).json()) as {
      paths: Record<string, { get: { operationId: string; summary: string; parameters?: { name: string }[] } }>
    }
    for (const [path, { get }] of Object.entries(openApi.paths)) {
      await page.getByRole('link', { name: `${get.summary} GET ${path}` }).click()
      await page.getByRole('heading', { level: 1, name: get.summary }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`/docs/api/${get.operationId}`)
      const listed = await page.locator('.parameter-list').first().locator('dt > code').allTextContents()
      expect(listed).toEqual(get.parameters?.map(({ name }) => name))
      await page.goBack()
    }
    expect(problems).toEqual([])
    expect((await page.goto(`${site.service.address}/docs/api/nothing?lang=en`))?.status()).toBe(404)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  })

  it('has every error code under an address of its own, also without a script', async () => {
    const { page, problems } = await site.open('/docs?country=us&lang=en')
    await page.getByRole('link', { name: 'All errors with what to do' }).click()
    await page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor()
    const codes = await page.locator('.error-row').evaluateAll((rows) => rows.map(({ id }) => id))
    const table = JSON.parse(readFileSync(new URL('../../spec/errors.json', import.meta.url), 'utf8')) as {
      code: string
    }[]
    expect(codes).toEqual(table.map(({ code }) => code))
    expect(problems).toEqual([])
    const plain = await site.open('/docs/errors#rate_limited', { javaScriptEnabled: false, locale: 'tr-TR' })
    expect(await plain.page.locator('#rate_limited:target').textContent()).toContain('429')
    expect(await plain.page.getByRole('heading', { level: 1 }).textContent()).toBe('Hatalar')
  })

  it('leads from what the search finds to a parameter, and within a guide to its sections', async () => {
    const { page, problems } = await site.open('/docs?country=us&lang=en')
    await page.getByLabel('Search the documentation').fill('price_max')
    // The texts of the guides are searched, too: they are loaded first.
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: 'price_max Search shows by filters' }).click()
    const parameter = page.locator('#price_max')
    await parameter.waitFor()
    const isInView = () =>
      parameter.evaluate((element) => {
        const { top } = element.getBoundingClientRect()
        return top > 0 && top < window.innerHeight / 2
      })
    await expect.poll(isInView).toBe(true)
    expect(problems).toEqual([])

    const guide = await site.open('/docs/guides/using-the-api?country=us&lang=en', { javaScriptEnabled: false })
    const contents = guide.page.getByRole('navigation', { name: 'On this page' })
    // It is folded until the styles unfold it, on a page of this width.
    await contents.getByRole('link').first().waitFor()
    const sections = await guide.page.locator('.guide :is(h2, h3, h4)').allTextContents()
    expect(await contents.getByRole('link').allTextContents()).toEqual(sections)
    await contents.getByRole('link', { name: 'Caching' }).click()
    expect(await guide.page.locator('#caching:target').textContent()).toBe('Caching')
  })

  it('tries a request with a key that is pasted, and shows what was answered', async () => {
    const key = await site.service.createKey()
    const { page, problems } = await site.open('/docs/api/searchShowsByTitle?country=us&lang=en')
    const form = page.getByRole('region', { name: 'Try it', exact: true })
    await form.getByLabel('Your key').fill(key)
    await form.getByLabel('title', { exact: true }).fill('godfather')
    await form.getByText(/^Optional parameters/).click()
    await form.getByLabel('output_language').selectOption('tr')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('200', { exact: true }).waitFor()
    const body = await page.getByRole('group', { name: 'Response body' }).textContent()
    const asked = await fetch(
      `${site.service.address}/v4/shows/search/title?title=godfather&country=us&output_language=tr`,
      { headers: { 'X-API-Key': key } },
    )
    expect(body?.replace(/…$/, '')).toBe(JSON.stringify(await asked.json(), null, 2).slice(0, 20_000))
    const curl = await page.getByRole('group', { name: 'The same with curl' }).textContent()
    expect(curl).toContain(`-H 'X-API-Key: ${key}'`)
    expect(curl).toContain('title=godfather&country=us&output_language=tr')

    // The key stays for the next endpoint, and for this tab alone.
    await page.getByRole('link', { name: 'Reference', exact: true }).click()
    await page.getByRole('link', { name: /GET \/genres/ }).click()
    await page.getByText('The key that you pasted').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('group', { name: 'Response body' }).getByText('"action"', { exact: true }).waitFor()
    expect(problems).toEqual([])
    await page.getByRole('button', { name: 'Use another key' }).click()
    await page.getByLabel('Your key').fill('mq-key-unknown')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('"invalid_key"').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${site.service.address}/docs/api/getGenres?lang=en`)
    await other.getByLabel('Your key').waitFor()
  })

  it('tries with a key that is limited to the origin of this very page', async () => {
    const { page, problems } = await site.open('/docs/start?country=us&lang=en')
    const { key } = await signUpWithKey(page, aPerson(), { name: 'page', origins: [site.service.address] })
    await page.reload()
    await page.getByLabel('Or paste one that you have').fill(key)
    await page.getByRole('button', { name: 'Use it here' }).click()
    await page.getByRole('button', { name: 'Run it' }).click()
    await page.getByText(/can be watched on:/).waitFor()
    const { keys } = await send<{ keys: { lastOrigin?: string }[] }>(page, 'GET', '/keys')
    expect(keys).toHaveLength(1)
    await page.getByRole('button', { name: 'Remove it' }).click()
    expect(await page.getByRole('button', { name: 'Run it' }).isDisabled()).toBe(true)
    expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContain('marquee.key')
    expect(problems).toEqual([])
  })

  it('says when the quota is used up, when requests come too fast, and when the service is out of reach', async () => {
    const { page } = await site.open('/docs/api/getGenres?country=us&lang=en')
    await marquee(['plans', 'set', 'two', '--requests', '2', '--rate', '50'], site.service.env)
    const { stdout } = await marquee(['keys', 'create', '--plan', 'two', '--name', 'small'], site.service.env)
    await page.getByLabel('Your key').fill(stdout.trim())
    const button = page.getByRole('button', { name: 'Send' })
    await button.click()
    await page.getByText('1 of 2 requests used').waitFor()
    await button.click()
    await page.getByText('2 of 2 requests used').waitFor()
    await button.click()
    await page.getByText('"quota_exceeded"').waitFor()
    await page.getByText(/Wait \d+ s before you try again\./).waitFor()
    await page.context().setOffline(true)
    await button.click()
    await page.getByText('The service could not be reached.').waitFor()
  })
})
