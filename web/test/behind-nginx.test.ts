import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { onFileFinished } from '../../server/test/support/file-cleanup.ts'
import { startMarquee } from '../../server/test/support/marquee-process.ts'
import { requiredProgram } from '../../server/test/support/required-program.ts'
import { temporaryFolder } from '../../server/test/support/temporary-folder.ts'
import { describeInBrowser, openSite, PLAIN_HOST } from './support/site.ts'

const nginx = requiredProgram(['nginx', '../sbin/nginx'], 'on Debian, apt-get install nginx-light')

/** Another process may take the free port first: nginx then ends, and gets another one. */
const MAX_STARTS = 5

/** Starts nginx with the configuration that is shipped, in front of a service. Returns its address. */
async function startNginx(upstream: string): Promise<string> {
  const shipped = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8')
  let errors = ''
  for (let start = 0; start < MAX_STARTS; start++) {
    const folder = temporaryFolder(onFileFinished)
    const port = await freePort()
    mkdirSync(join(folder, 'logs'))
    const configuration = shipped
      .replace(
        /^worker_processes .*$/m,
        `worker_processes 1;\ndaemon off;\npid ${folder}/nginx.pid;\nerror_log stderr;`,
      )
      .replace(/server node-1:8080/, `server ${upstream}`)
      .replace(/^ *server node-2:8080.*$/m, '')
      .replace(/listen 8080/, `listen 127.0.0.1:${port}`)
      .replace(/\/var\/log\/nginx/, join(folder, 'logs'))
    writeFileSync(join(folder, 'nginx.conf'), configuration)
    const child = spawn(nginx as string, ['-p', folder, '-c', 'nginx.conf'], { stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.on('data', (data) => {
      errors += data
    })
    const exited = once(child, 'exit')
    onFileFinished(async () => {
      child.kill('SIGTERM')
      await exited
    })
    const address = `http://127.0.0.1:${port}`
    while (child.exitCode === null) {
      if (await isHealthy(address)) return address
      await sleep(50)
    }
  }
  throw new Error(`nginx does not start:\n${errors}`)
}

function isHealthy(address: string): Promise<boolean> {
  return fetch(`${address}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

describeInBrowser('the pages behind the shipped nginx.conf', () => {
  it.skipIf(nginx === undefined).each([
    ['by address', undefined],
    ['by a name without TLS, to which browsers send no Sec-Fetch-Site', PLAIN_HOST],
  ])('%s: people sign up and make a key', async (_, host) => {
    const service = await startMarquee({
      MARQUEE_DATA: temporaryFolder(onFileFinished),
      MARQUEE_WORKERS: '1',
      MARQUEE_SIGN_UP: 'open',
      MARQUEE_TRUSTED_PROXIES: 'loopback',
    })
    const address = await startNginx(new URL(service.address).host)
    const site = await openSite({ ...service, address })
    const { page, problems } = await site.open('/sign-up?country=us&lang=en', host === undefined ? {} : { host })
    await page.getByLabel('E-mail').fill('ann@example.com')
    await page.getByLabel('Password').fill('a long enough password')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByLabel('Name').fill('my app')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByText('mq-key-').first().waitFor()
    // Chromium remarks that a policy has no effect without TLS.
    expect(problems.filter((problem) => !problem.includes('Cross-Origin-Opener-Policy'))).toEqual([])
  })
})
