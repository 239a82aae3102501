import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { DemoService } from '../../server/test/support/demo-service.ts'
import { marquee } from '../../server/test/support/marquee-process.ts'
import { aPerson, type Person, send, signUpWithKey } from './support/person.ts'
import { describeInBrowser, goTo, openDemoSite, type Site } from './support/site.ts'
import { importUnofferedShow } from './support/unoffered-show.ts'

const BOSS: Person = { email: 'boss@example.com', password: 'boss of everything here' }

describeInBrowser("the operator's pages", () => {
  let site: Site<DemoService>

  beforeAll(async () => {
    site = await openDemoSite()
    const { code, stderr } = await marquee(
      ['admin', 'create', BOSS.email],
      site.service.env,
      Buffer.from(`${BOSS.password}\n`),
    )
    if (code !== 0) throw new Error(stderr)
  })

  async function openAsAdmin(path: string): Promise<{ page: Page; problems: string[] }> {
    const opened = await site.open(path)
    await send(opened.page, 'POST', '/sign-in', BOSS)
    await opened.page.reload()
    return opened
  }

  it('show sources, the window scheduler, processes, and every catalog in a heat map', async () => {
    const { page, problems } = await openAsAdmin('/operator?country=us&lang=en')
    const source = page.getByRole('row', { name: /^demo / })
    await source.waitFor()
    expect(await source.textContent()).toMatch(/Snapshot \d+.*new.*None/)
    await page.getByText('Active', { exact: true }).waitFor()
    const processes = page.getByRole('table', { name: 'Processes' })
    expect(await processes.getByRole('row').count()).toBe(3)
    expect(await processes.textContent()).toContain(String(site.service.process.pid))

    const key = await site.service.createKey()
    const ask = (path: string) =>
      fetch(`${site.service.address}/v4${path}`, { headers: { 'X-API-Key': key } }).then((answer) => answer.json())
    let netflix = 0
    for (let cursor = ''; ; ) {
      const { shows, hasMore, nextCursor } = await ask(`/shows/search/filters?country=us&catalogs=netflix${cursor}`)
      netflix += shows.length
      if (!hasMore) break
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`
    }
    const map = page.getByRole('table', { name: 'Shows by service and country' })
    const columns = await map.getByRole('columnheader').allTextContents()
    const cells = await map
      .getByRole('row', { name: /^Netflix/ })
      .getByRole('cell')
      .allTextContents()
    expect(cells[columns.indexOf('United States') - 1]).toBe(String(netflix))
    await page.locator('figure', { hasText: 'By endpoint' }).getByText('searchShowsByFilters').waitFor()
    expect(problems).toEqual([])
  })

  it('answer what an operator looks for first, each within two clicks of the dashboard', async () => {
    const { page, problems } = await openAsAdmin('/dashboard?country=us&lang=en')
    const answers: [clicks: string[], answer: () => Locator][] = [
      [['Operator'], () => page.getByRole('row', { name: /^demo / })],
      [['Operator', 'Add data'], () => page.getByLabel('File')],
      [['Operator', 'Accounts'], () => page.getByLabel(`Plan of ${BOSS.email}`)],
      [[], () => page.getByText(/of .* requests|unlimited/i)],
      [['Operator', 'Audit log'], () => page.getByRole('row', { name: /Account created/ })],
    ]
    for (const [clicks, answer] of answers) {
      await page.getByRole('link', { name: 'Usage', exact: true }).first().click()
      for (const name of clicks) await page.getByRole('link', { name, exact: true }).first().click()
      await answer().first().waitFor()
    }
    expect(problems).toEqual([])
  })

  it('have tables that a phone shows whole', async () => {
    const { page, problems } = await openAsAdmin('/operator/accounts?country=us&lang=en')
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of ['/operator/accounts', '/operator/audit']) {
      await goTo(page, `${path}?country=us&lang=en`, '.table tbody tr')
      const hidden = await page
        .locator('.table')
        .evaluateAll((tables) => tables.map((table) => table.scrollWidth - table.clientWidth))
      expect(Math.max(...hidden)).toBe(0)
    }
    expect(problems).toEqual([])
  })

  it('show what should be mended in the catalog, as the command finds it, and how', async () => {
    await importUnofferedShow(site.service.env)
    const { page, problems } = await openAsAdmin('/operator/checks?country=us&lang=en')
    const { stdout } = await marquee(['doctor', '--json'], site.service.env)
    const [{ count, examples }] = JSON.parse(stdout).findings
    const section = page.getByRole('region', { name: 'Shows without offers' })
    await section.getByRole('heading', { name: `Shows without offers: ${count}` }).waitFor()
    await section.getByText('Seen Nowhere (1999)').waitFor()
    expect(await section.locator('pre').textContent()).toBe(examples[0].command)
    await page.getByText('Nothing to mend').waitFor()
    expect(problems).toEqual([])
  })

  it('change the plan of an account, which holds at once and is in the audit log', async () => {
    const { page, problems } = await openAsAdmin('/operator/accounts?country=us&lang=en')
    const person = aPerson()
    const developer = await site.open('/dashboard?country=us&lang=en')
    const { key } = await signUpWithKey(developer.page, person)
    await page.reload()
    await page.getByLabel('Search by e-mail, role or plan').fill(person.email.toUpperCase())
    await page.getByText('1 account', { exact: true }).waitFor()
    await page.getByLabel(`Plan of ${person.email}`).selectOption('pro')
    await page.getByText(`${person.email} is on the plan pro now.`).waitFor()
    const answer = await fetch(`${site.service.address}/v4/genres`, { headers: { 'X-API-Key': key } })
    expect(answer.headers.get('x-quota-granted')).toBe('25000')
    await developer.page.reload()
    await developer.page.getByText('of 25,000 requests').waitFor()

    await page.getByRole('link', { name: 'Audit log' }).click()
    const entry = page.getByRole('row', { name: /Plan of an account changed/ }).first()
    await entry.getByText('from: free, to: pro').waitFor()
    expect(await entry.textContent()).toContain(`${BOSS.email}Plan of an account changed${person.email}`)
    await page.getByLabel('Search', { exact: true }).fill(`${person.email.toUpperCase()} changed`)
    await page.getByText('1 entry', { exact: true }).waitFor()
    expect(await page.locator('.audit-table tbody tr').count()).toBe(1)
    expect([...problems, ...developer.problems]).toEqual([])
  })

  it('disable an account, give its owner a new password, and delete it', async () => {
    const { page, problems } = await openAsAdmin('/operator/accounts?country=us&lang=en')
    const person = aPerson()
    const developer = await site.open('/dashboard?country=us&lang=en')
    const { key } = await signUpWithKey(developer.page, person)
    const status = async () =>
      (await fetch(`${site.service.address}/v4/genres`, { headers: { 'X-API-Key': key } })).status
    await page.reload()
    await page.getByRole('button', { name: `Manage ${person.email}` }).click()
    const dialog = page.getByRole('dialog', { name: person.email })
    await dialog.getByRole('button', { name: 'Disable' }).click()
    await dialog.getByText('Disabled since').waitFor()
    await expect.poll(status).toBe(403)
    await dialog.getByRole('button', { name: 'Enable' }).click()
    await dialog.getByText('Active', { exact: true }).waitFor()
    await expect.poll(status).toBe(200)

    await dialog.getByRole('button', { name: 'Link to set a new password' }).click()
    const link = (await dialog.locator('.one-time-text').textContent()) ?? ''
    await developer.page.goto(link)
    await developer.page.getByLabel('New password').fill('short')
    await developer.page.getByRole('button', { name: 'Show' }).click()
    await developer.page.getByLabel('New password').fill('another long password')
    await developer.page.getByRole('button', { name: 'Set a new password' }).click()
    await developer.page.waitForURL(/\/dashboard/)

    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByRole('button', { name: 'Click again' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByText(person.email).count()).toBe(0)
    await expect.poll(status).toBe(401)
    await page.getByLabel('E-mail', { exact: true }).fill('guest@example.com')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByText('The invitation for guest@example.com').waitFor()
    expect(problems).toEqual([])
  })

  it('run, pause and resume a scheduled source, and create, edit, hide and remove a plan', async () => {
    const file = join(site.service.env.MARQUEE_DATA as string, 'sources.json')
    writeFileSync(file, JSON.stringify([{ name: 'nowhere', from: 'nowhere.ndjson', every: '1 day' }]))
    try {
      const { page, problems } = await openAsAdmin('/operator?country=us&lang=en')
      const row = page.getByRole('table', { name: 'Schedule' }).getByRole('row', { name: /^nowhere/ })
      await row.getByRole('button', { name: 'Pause: nowhere' }).click()
      await row.getByText(/^Paused /).waitFor()
      await row.getByRole('button', { name: 'Run now: nowhere' }).click()
      await row.getByRole('button', { name: 'Resume: nowhere' }).click()
      await row.getByRole('button', { name: 'Remove: nowhere' }).click()
      await row.getByRole('button', { name: /^Click again/ }).click()
      await row.waitFor({ state: 'detached' })

      await page.getByRole('link', { name: 'Accounts', exact: true }).click()
      const plans = page.getByRole('table', { name: 'Plans' })
      await page.getByRole('button', { name: 'New plan' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Plan', { exact: true }).fill('team')
      await dialog.getByLabel('Requests per period').fill('5000')
      await dialog.getByLabel('Period', { exact: true }).selectOption('day')
      await dialog.getByRole('button', { name: 'Save' }).click()
      const team = plans.getByRole('row', { name: /^team/ })
      await team.getByText('5,000').waitFor()
      await page.getByLabel('Find a plan').fill('5,000 TEAM')
      await plans.getByRole('row', { name: /^free/ }).waitFor({ state: 'detached' })
      await team.getByRole('button', { name: 'Edit: team' }).click()
      expect(await dialog.getByLabel('Period', { exact: true }).inputValue()).toBe('day')
      await dialog.getByLabel('Requests a second').fill('7')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await team.getByText('7 ').waitFor()
      await team.getByRole('button', { name: 'Hide: team' }).click()
      await team.getByText('Hidden').waitFor()
      const { stdout } = await marquee(['plans', '--json'], site.service.env)
      expect(JSON.parse(stdout).find(({ name }: { name: string }) => name === 'team')).toEqual({
        name: 'team',
        quota: { requests: 5_000, per: 'day' },
        rate: 7,
        exports: false,
        hidden: true,
      })
      await team.getByRole('button', { name: 'Remove: team' }).click()
      await team.waitFor({ state: 'detached' })
      expect(problems).toEqual([])
    } finally {
      rmSync(file)
    }
  })

  it('import an uploaded file, and show its progress, what it changed and its notices', async () => {
    const { page, problems } = await openAsAdmin('/operator/data?country=us&lang=en')
    const show = { kind: 'show', showType: 'movie', title: 'Uploaded by Hand', releaseYear: 2001, genres: ['nonsense'] }
    const feed = [{ kind: 'feed', source: 'by-hand', mode: 'delta' }, show].map((line) => JSON.stringify(line))
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'by hand.ndjson', mimeType: 'text/plain', buffer: Buffer.from(feed.join('\n')) })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const job = page.getByRole('region', { name: 'Imports' })
    await job.getByText('Done').waitFor()
    await job.getByText('1 shows with 0 offers were read: 1 new').waitFor()
    await job.getByText('2 notices').click()
    await job.getByText('unknown_genre').waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('row', { name: /File imported.*by_hand\.ndjson/ }).waitFor()
    expect(problems).toEqual([])
  })

  it('are not for developers, and ask others to sign in', async () => {
    const { page, problems } = await site.open('/operator?country=us&lang=en')
    await page.getByText('Sign in to see this page.').waitFor()
    await signUpWithKey(page, aPerson())
    await page.reload()
    await page.getByText('This page is for operators').waitFor()
    expect(await page.getByRole('link', { name: 'Operator', exact: true }).count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('show that usage nears its end on the dashboard', async () => {
    const { page } = await site.open('/dashboard?country=us&lang=en')
    const { key } = await signUpWithKey(page, aPerson())
    const { account } = await send<{ account: { id: string } }>(page, 'GET', '/session')
    await marquee(['plans', 'set', 'three', '--requests', '3'], site.service.env)
    await marquee(['accounts', 'plan', account.id, 'three'], site.service.env)
    for (let i = 0; i < 4; i++) await fetch(`${site.service.address}/v4/genres`, { headers: { 'X-API-Key': key } })
    await page.reload()
    await page.getByText('Used up: requests get 429 until then.').waitFor()
    await page.getByRole('table', { name: 'Latest errors' }).getByText('quota_exceeded').waitFor()
  })
})
