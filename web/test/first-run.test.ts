import { join } from 'node:path'
import { expect, it } from 'vitest'
import { onFileFinished } from '../../server/test/support/file-cleanup.ts'
import { marquee, startMarquee } from '../../server/test/support/marquee-process.ts'
import { temporaryFolder } from '../../server/test/support/temporary-folder.ts'
import { describeInBrowser, openSite } from './support/site.ts'

const BOSS = { email: 'boss@example.com', password: 'boss of everything here' }

describeInBrowser('the first run', () => {
  it('leads from an empty folder to an import, with commands and with forms', async () => {
    const env = { MARQUEE_DATA: join(temporaryFolder(onFileFinished), 'data'), MARQUEE_WORKERS: '1' }
    const service = await startMarquee(env)
    const site = await openSite(service)
    const { page } = await site.open('/?lang=en')
    await page.getByRole('heading', { level: 1, name: 'The catalog is empty' }).waitFor()
    const commands = await page.locator('.first-steps code').allTextContents()
    expect(commands.map((command) => command.split(' ').slice(0, 2).join(' '))).toEqual([
      'marquee admin',
      'marquee demo',
      'marquee import',
      'marquee sync',
    ])
    for (const command of commands) expect(service.output()).toContain(command.split(' ').slice(0, 2).join(' '))

    const made = await marquee(['admin', 'create', BOSS.email], env, Buffer.from(`${BOSS.password}\n`))
    expect(made).toMatchObject({ code: 0 })
    await page.getByRole('link', { name: 'The operator’s pages' }).click()
    await page.getByLabel('E-mail').fill(BOSS.email)
    await page.getByLabel('Password', { exact: true }).fill(BOSS.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Load the demo' }).click()
    const job = page.getByRole('region', { name: 'Imports' })
    await job.getByText('The demo').waitFor()
    await job.getByRole('progressbar').waitFor()
    expect(await service.stop()).toBe(0)
  })
})
