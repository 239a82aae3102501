/**
 * Takes the pictures of the documentation from the built service on a fresh demo catalog, into `docs/images`.
 * Usage: npm run build && npm run screenshots [-- name …]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = fileURLToPath(new URL('../..', import.meta.url))
const DESK = { width: 1280, height: 860 }
const PHONE = { width: 390, height: 844 }

/** What is pictured: the page, what is there once it is complete, and what is done on it before. */
const SHOTS = [
  { name: 'home', path: '/', ready: '.show-card' },
  { name: 'home-phone-dark', path: '/', ready: '.show-card', viewport: PHONE, colorScheme: 'dark' },
  {
    name: 'search',
    path: '/',
    ready: '.show-card',
    act: (page) => page.getByRole('combobox', { name: 'Search for a title' }).fill('the god'),
    acted: '[role=option]',
  },
  {
    name: 'browse',
    path: '/browse?catalogs=netflix,prime&genres=crime,thriller&genres_relation=or&rating_min=60',
    ready: '.show-card',
  },
  { name: 'show', path: '/show/tt0903747', ready: '.countries .table', viewport: { width: 1280, height: 1640 } },
  {
    name: 'show-history',
    path: '/show/tt0068646',
    ready: '.history-bar',
    viewport: { width: 1280, height: 620 },
    act: (page) => page.locator('#history').evaluate((element) => element.scrollIntoView()),
  },
  {
    name: 'show-phone-dark',
    path: '/show/tt0068646',
    ready: '.countries .table',
    viewport: PHONE,
    colorScheme: 'dark',
  },
  { name: 'leaving', path: '/leaving', ready: '.change' },
  { name: 'new-phone', path: '/new', ready: '.change', viewport: PHONE },
  { name: 'upcoming-dark', path: '/upcoming', ready: '.change', colorScheme: 'dark' },
  { name: 'top-dark', path: '/top', ready: '.top', colorScheme: 'dark' },
  { name: 'usage', path: '/dashboard', ready: 'figure svg', isSignedIn: true, viewport: { width: 1280, height: 1330 } },
  {
    name: 'usage-phone-dark',
    path: '/dashboard',
    ready: 'figure svg',
    isSignedIn: true,
    viewport: PHONE,
    colorScheme: 'dark',
  },
  { name: 'keys', path: '/dashboard/keys', ready: '.key-card', isSignedIn: true },
  { name: 'getting-started', path: '/docs/start', ready: '.code-block', isSignedIn: true },
  { name: 'reference-dark', path: '/docs', ready: '.operation-list', colorScheme: 'dark' },
  {
    name: 'try-it',
    path: '/docs/api/searchShowsByTitle',
    ready: '.try-it',
    isSignedIn: true,
    viewport: { width: 1280, height: 1200 },
    act: (page) => page.getByRole('button', { name: 'Send' }).click(),
    acted: '.trial-answer',
  },
  {
    name: 'operator',
    path: '/operator',
    ready: '.heat-map',
    isSignedIn: true,
    viewport: { width: 1280, height: 1500 },
  },
  {
    name: 'operator-accounts-dark',
    path: '/operator/accounts',
    ready: '.table',
    isSignedIn: true,
    colorScheme: 'dark',
  },
]

const wanted = process.argv.slice(2)
const shots = SHOTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const folder = mkdtempSync(join(tmpdir(), 'marquee-screenshots-'))
const service = await startService(join(folder, 'data'))
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const admin = await makeAdmin(join(folder, 'data'))
try {
  for (const shot of shots) await take(shot)
} finally {
  await browser.close()
  service.process.kill('SIGTERM')
  await once(service.process, 'exit')
  rmSync(folder, { recursive: true, force: true })
}

async function take({ name, path, ready, act, acted, isSignedIn = false, viewport = DESK, colorScheme = 'light' }) {
  const context = await browser.newContext({ viewport, colorScheme, locale: 'en-US', reducedMotion: 'reduce' })
  const page = await context.newPage()
  if (isSignedIn) await signIn(page)
  await page.goto(`${service.address}${path}${path.includes('?') ? '&' : '?'}country=us&lang=en`)
  await page.locator(ready).first().waitFor()
  await act?.(page)
  if (acted !== undefined) await page.locator(acted).first().waitFor()
  await page.waitForLoadState('networkidle')
  const file = join(root, 'docs', 'images', `${name}.jpg`)
  await page.screenshot({ path: file, type: 'jpeg', quality: 84 })
  process.stdout.write(`docs/images/${name}.jpg\n`)
  await context.close()
}

/** Begins a session in the page, and lets the tab keep the key as the dashboard would. */
async function signIn(page) {
  await page.goto(`${service.address}/docs`)
  await page.evaluate(async ({ email, password, secret }) => {
    const body = JSON.stringify({ email, password })
    await fetch('/platform/sign-in', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    sessionStorage.setItem('marquee.key', JSON.stringify({ secret, name: 'Movie night' }))
  }, admin)
}

/** Makes an admin with keys and a month of use, as if the service had been running for as long. */
async function makeAdmin(data) {
  const { openAccounts } = await import('../../server/dist/accounts/accounts.js')
  const accounts = openAccounts(join(data, 'accounts'), {})
  const now = Math.floor(Date.now() / 1000)
  const act = { by: 'operator', now }
  const person = { email: 'ann@example.com', password: 'a password for pictures' }
  const { id: accountId } = await accounts.users.create({ ...person, role: 'admin', plan: 'pro' }, act)
  await accounts.users.create(
    { email: 'bob@example.com', password: 'another for pictures', role: 'developer', plan: 'free' },
    act,
  )
  const made = await accounts.keys.create({ source: 'direct', accountId, name: 'Movie night' }, act)
  const origins = ['https://movie-night.example']
  await accounts.keys.create({ source: 'direct', accountId, name: 'Movie night, web page', origins }, act)
  const { id: keyId } = made.record
  const deltas = []
  for (let day = 30; day >= 0; day--) {
    const at = now - day * 86_400
    const requests = Math.round(240 + 160 * Math.sin(day / 3.2) + 9 * (30 - day))
    const part = (share, failed, step) => {
      const good = Math.round(requests * share)
      return {
        statuses: { 200: good, 304: Math.round(good / 3), ...failed },
        latency: { [step]: good, [step + 4]: Math.ceil(good / 12) },
      }
    }
    const usage = {
      searchShowsByFilters: part(0.5, { 400: day % 5 }, 9),
      getShow: part(0.3, { 404: 4 + (day % 7) }, 7),
      searchShowsByTitle: part(0.15, day === 12 ? { 500: 9 } : {}, 11),
      getChanges: part(0.05, {}, 10),
    }
    const failures = day > 3 ? [] : [{ at, endpoint: 'getShow', status: 404, code: 'not_found' }]
    deltas.push({ keyId, at, usage, failures })
  }
  await accounts.usage.add(deltas)
  await accounts.quota.add([{ owner: accountId, period: new Date().toISOString().slice(0, 7), requests: 9_184 }])
  await accounts.close()
  return { ...person, secret: made.key }
}

/** Starts the service on a demo catalog and waits until it listens. */
async function startService(data) {
  const child = spawn(process.execPath, [join(root, 'server', 'bin', 'marquee.js'), 'serve', '--demo'], {
    env: { ...process.env, MARQUEE_DATA: data, HOST: '127.0.0.1', PORT: '0', MARQUEE_WORKERS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const address = await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      const match = /"address":"(http:[^"]+)"/.exec(output)
      if (match !== null) resolve(match[1])
    })
    child.once('exit', () => reject(new Error(`The service ended before it listened:\n${output}`)))
  })
  return { process: child, address }
}
