import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { DemoService } from '../../server/test/support/demo-service.ts'
import { marquee, startMarquee } from '../../server/test/support/marquee-process.ts'
import { temporaryFolder } from '../../server/test/support/temporary-folder.ts'
import { aPerson, type Person, signUpWithKey } from './support/person.ts'
import { describeInBrowser, openDemoSite, openSite, type Site } from './support/site.ts'

const run = promisify(execFile)

describeInBrowser('the dashboard', () => {
  let site: Site<DemoService>

  beforeAll(async () => {
    site = await openDemoSite()
  })

  const statusWith = async (key: string) =>
    (await fetch(`${site.service.address}/v4/genres`, { headers: { 'X-API-Key': key } })).status

  async function enter(page: Page, { email, password }: Person, button: 'Sign up' | 'Sign in'): Promise<void> {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: button }).click()
  }

  it('leads from signing up to a first call, which then appears among the usage', async () => {
    const { page, problems } = await site.open('/sign-up?country=us&lang=en', {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await enter(page, aPerson(), 'Sign up')
    await page.getByLabel('Name').fill('My movie app')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const panel = page.getByRole('region', { name: 'The secret of “My movie app”' })
    const secret = (await panel.locator('code').textContent()) as string
    expect(secret).toMatch(/^mq-key-[\w-]{20,}$/)
    await panel.getByRole('button', { name: 'Copy the secret' }).click()
    await panel.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)

    await panel.getByRole('button', { name: 'Use it in the examples' }).click()
    await page.getByRole('heading', { name: 'Getting started' }).waitFor()
    const shell = page.getByRole('group', { name: 'In a terminal' })
    const curl = (await shell.textContent()) as string
    expect(curl).toContain(secret)
    const { stdout } = await run('sh', ['-c', `${curl} --silent`])
    const show = JSON.parse(stdout) as { title: string; streamingOptions: { us: { service: { name: string } }[] } }

    await page.getByText('TypeScript', { exact: true }).click()
    const program = (await page.getByRole('group', { name: 'Save as first.mjs' }).textContent()) as string
    const printed = await run('node', ['--input-type=module', '-e', program], {
      env: { ...process.env, MARQUEE_URL: `${site.service.address}/v4`, MARQUEE_KEY: secret },
    })
    expect(printed.stdout).toContain(`${show.title} can be watched on\n  ${show.streamingOptions.us[0]?.service.name}`)
    await page.getByText('Go', { exact: true }).click()
    expect(await page.getByRole('group', { name: 'Save as main.go' }).textContent()).toContain('client.GetShow')

    await page.getByRole('button', { name: 'Run it' }).click()
    await page.getByText(`“${show.title}” can be watched on:`).waitFor()
    await page.getByRole('link', { name: 'See your request among your usage' }).click()
    await page.getByRole('heading', { name: 'Requests over time' }).waitFor()
    // Three calls: by curl, by the program, and from the page.
    await page.locator('.gauge-figure', { hasText: /^3$/ }).waitFor()
    await page.getByText('of 1,000 requests').waitFor()
    const byEndpoint = page.locator('figure', { hasText: 'Requests by endpoint' })
    await byEndpoint.locator('svg text', { hasText: 'getShow' }).waitFor()
    await byEndpoint.getByText('Table', { exact: true }).click()
    const row = byEndpoint.getByRole('row', { name: /getShow/ })
    await expect.poll(() => row.getByRole('cell').allTextContents()).toEqual(['3', '3'])
    expect(problems).toEqual([])
  })

  it('shows latest errors, and usage of one key in a period, both in the address', async () => {
    const { page } = await site.open('/dashboard?country=us&lang=en')
    const { key, record } = await signUpWithKey(page, aPerson())
    const other = await signUpWithKey(page, aPerson(), { name: 'of somebody else' })
    await fetch(`${site.service.address}/v4/shows/none`, { headers: { 'X-API-Key': key } })
    await fetch(`${site.service.address}/v4/shows/none`, { headers: { 'X-API-Key': other.key } })
    await page.reload()
    const errors = page.getByRole('table', { name: 'Latest errors' })
    await errors.getByText('not_found').waitFor()
    expect(await errors.getByText('of somebody else').count()).toBe(1)
    expect(await errors.getByRole('row').count()).toBe(2)

    await page.getByText('7 days').click()
    await page.getByLabel('Key').selectOption({ label: `of somebody else (${other.record.hint})` })
    const query = new URL(page.url()).searchParams
    expect([query.get('period'), query.get('key')]).toEqual(['7d', other.record.id])
    await page.locator('figure', { hasText: 'Requests over time' }).getByText('Table', { exact: true }).click()
    expect(await page.getByRole('table', { name: 'Requests over time' }).getByRole('row').count()).toBe(8)
    expect(record.id).not.toBe(other.record.id)
  })

  it('changes a key, rotates it with an overlap, and revokes it after a question', async () => {
    const { page, problems } = await site.open('/dashboard/keys?country=us&lang=en')
    const { key } = await signUpWithKey(page, aPerson(), { name: 'old name' })
    await page.reload()
    const card = page.locator('.key-card')
    await card.getByText('old name').waitFor()
    expect(await page.content()).not.toContain(key)

    await card.getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('new name')
    await dialog.getByLabel('Web origins').fill('https://app.example/path')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('One of the origins is not one.').waitFor()
    expect(problems.splice(0).every((problem) => problem.includes('400'))).toBe(true)
    await dialog.getByLabel('Web origins').fill('https://app.example\nhttps://www.app.example')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await card.getByText('https://app.example and https://www.app.example').waitFor()
    expect(await statusWith(key)).toBe(403)
    await card.getByRole('button', { name: 'Change' }).click()
    await dialog.getByLabel('Web origins').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Anywhere').waitFor()

    await card.getByRole('button', { name: 'Rotate' }).click()
    await dialog.getByLabel('The current secret stays valid for').selectOption({ label: '7 days' })
    await dialog.getByRole('button', { name: 'Create a new secret' }).click()
    const next = (await page.locator('.new-secret code').textContent()) as string
    expect(next).not.toBe(key)
    await card.getByText(/The previous secret .* stays valid until/).waitFor()
    expect([await statusWith(key), await statusWith(next)]).toEqual([200, 200])

    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    expect(await focused()).toBe('Your keys')
    await card.getByRole('button', { name: 'Revoke' }).click()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(focused).toBe('Revoke')
    expect(await statusWith(next)).toBe(200)
    await card.getByRole('button', { name: 'Revoke' }).click()
    await dialog.getByRole('button', { name: 'Revoke for good' }).click()
    await page.getByText('No keys yet.').waitFor()
    await expect.poll(focused).toBe('Your keys')
    expect([await statusWith(key), await statusWith(next)]).toEqual([403, 403])
    await page.getByRole('button', { name: 'Show 1 revoked key' }).click()
    await card.getByText('Revoked').waitFor()
    expect(problems).toEqual([])
  })

  it('asks before a secret is lost, and says when it cannot be copied', async () => {
    const { page } = await site.open('/dashboard/keys?country=us&lang=en')
    await signUpWithKey(page, aPerson())
    await page.reload()
    await page.getByLabel('Name').fill('shown once')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const secret = page.locator('.new-secret')
    await secret.waitFor()
    const questions: string[] = []
    let isLeaving = false
    page.on('dialog', (question) => {
      questions.push(question.message())
      return isLeaving ? question.accept() : question.dismiss()
    })
    // Pages of tests may not use the clipboard unless they are allowed to.
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))
    })
    await secret.getByRole('button', { name: 'Copy the secret' }).click()
    await secret.getByRole('button', { name: 'The browser does not allow it' }).waitFor()

    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await expect.poll(() => questions.length).toBe(1)
    expect(questions[0]).toContain('has not been copied')
    expect(await secret.isVisible()).toBe(true)
    expect(new URL(page.url()).pathname).toBe('/dashboard/keys')
    isLeaving = true
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    await page.getByRole('link', { name: 'Reference', exact: true }).click()
    await page.locator('.operation-list').first().waitFor()
    expect(questions).toHaveLength(2)
  })

  it('changes the password, and signs out and in again', async () => {
    const { page, problems } = await site.open('/dashboard/account?country=us&lang=en')
    const person = aPerson()
    await signUpWithKey(page, person)
    await page.reload()
    await page.getByRole('row', { name: /free Yours/ }).waitFor()
    const next = 'another long password'
    await page.getByLabel('Current password').fill('not the one at all')
    await page.getByLabel('New password').fill(next)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('The current password is not right.').waitFor()
    await page.getByLabel('Current password').fill(person.password)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('The password is changed.').waitFor()

    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await enter(page, person, 'Sign in')
    await page.getByText('Address and password do not lead to an account.').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Sign in')
    expect(problems.splice(0).every((problem) => /40[13]/.test(problem))).toBe(true)
    // Who signs in from the documentation goes on reading there.
    await page.getByRole('link', { name: 'Reference', exact: true }).click()
    await page.locator('.operation-list').first().waitFor()
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await enter(page, { ...person, password: next }, 'Sign in')
    await page.locator('.operation-list').first().waitFor()
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
    expect(problems).toEqual([])
  })

  it('deletes the account after its password, and says so', async () => {
    const { page, problems } = await site.open('/dashboard/account?country=us&lang=en')
    const person = aPerson()
    await signUpWithKey(page, person)
    await page.reload()
    await page.getByRole('button', { name: 'Delete the account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current password').fill(person.password)
    await dialog.getByRole('button', { name: 'Delete the account' }).click()
    await page.getByText('The account and its keys are deleted.').waitFor()
    expect(problems).toEqual([])
    await enter(page, person, 'Sign in')
    await page.getByText('Address and password do not lead to an account.').waitFor()
  })

  it('says how long guessing is stopped for', async () => {
    const { page } = await site.open('/sign-in?country=us&lang=en')
    const { email } = aPerson()
    const guess = (password: string) =>
      page.evaluate(
        async (body) =>
          (
            await fetch('/platform/sign-in', {
              method: 'POST',
              headers: { 'Content-Type': 'application/json' },
              body,
            })
          ).status,
        JSON.stringify({ email, password }),
      )
    for (let i = 1; i <= 10; i++) expect(await guess(`guess number ${i}`)).toBe(401)
    await enter(page, { email, password: 'guess number 11' }, 'Sign in')
    await page.getByText('Too many attempts').waitFor()
    await page.getByText(/Try again in 1\d minutes\./).waitFor()
    expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true)
  })

  it('says that one is offline, keeps what was seen, and goes on by itself', async () => {
    const { page, problems } = await site.open('/dashboard?country=us&lang=en')
    await signUpWithKey(page, aPerson())
    await page.reload()
    await page.getByRole('heading', { name: 'Requests over time' }).waitFor()
    expect(problems).toEqual([])
    await page.context().setOffline(true)
    // What the page does when the reader comes back to it.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.getByText('This data is not up to date.').waitFor()
    expect(await page.getByRole('heading', { name: 'Requests over time' }).isVisible()).toBe(true)
    await page.getByText('90 days').click()
    await page.getByText('You are offline').first().waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Requests over time' }).waitFor()
    expect(await page.getByText('You are offline').count()).toBe(0)
    expect(problems.every((problem) => problem.includes('ERR_INTERNET_DISCONNECTED'))).toBe(true)
  })

  it('waits when the service has enough of requests, and goes on by itself', async () => {
    const { page } = await site.open('/dashboard/keys?country=us&lang=en')
    await signUpWithKey(page, aPerson(), { name: 'patient' })
    let refused = 0
    await page.route('**/platform/keys', async (route) => {
      if (refused++ > 0) return route.continue()
      const body = { code: 'rate_limited', detail: 'Too many requests.', retryAfter: 1 }
      return route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json: body })
    })
    await page.reload()
    await page.getByText('Too many requests').waitFor()
    await page.locator('.key-card', { hasText: 'patient' }).waitFor()
    expect(refused).toBe(2)
  })

  it('asks to sign in where the session has ended, and shows the page after that', async () => {
    const { page } = await site.open('/dashboard/keys?country=us&lang=en')
    const person = aPerson()
    await signUpWithKey(page, person, { name: 'still there' })
    await page.reload()
    await page.getByText('still there').waitFor()
    await page.context().clearCookies()
    await page.getByLabel('Name').fill('too late')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByText('Your session has ended. Sign in to go on.').waitFor()
    await enter(page, person, 'Sign in')
    await page.getByText('still there').waitFor()
    expect(await page.getByText('too late').count()).toBe(0)
  })

  it('takes only invited people, or nobody, where the operator says so', async () => {
    const env = { MARQUEE_DATA: temporaryFolder(), MARQUEE_WORKERS: '1' }
    const { stdout } = await marquee(['accounts', 'invite', 'guest@example.com', '--json'], env)
    const { code } = JSON.parse(stdout) as { code: string }
    const invited = await openSite(await startMarquee({ ...env, MARQUEE_SIGN_UP: 'invited' }))
    const { page } = await invited.open('/sign-up?country=us&lang=en')
    await page.getByLabel('Invitation code').fill('nonsense')
    await enter(page, { email: 'guest@example.com', password: 'a long enough password' }, 'Sign up')
    await page.getByText('The invitation does not fit this address').waitFor()
    await page.getByLabel('Invitation code').fill(` ${code} `)
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()

    await invited.service.stop()
    const closed = await openSite(await startMarquee({ ...env, MARQUEE_SIGN_UP: 'closed' }))
    const alone = await closed.open('/sign-up?country=us&lang=en')
    await alone.page.getByText('Nobody can sign up here at the moment').waitFor()
    expect(await alone.page.getByLabel('E-mail').count()).toBe(0)
    expect(alone.problems).toEqual([])
  })
})
