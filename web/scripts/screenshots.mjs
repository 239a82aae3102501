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
  { name: 'show', path: '/show/tt0903747', ready: '.countries .table', viewport: { width: 1280, height: 1250 } },
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
]

const wanted = process.argv.slice(2)
const shots = SHOTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const folder = mkdtempSync(join(tmpdir(), 'marquee-screenshots-'))
const service = await startService(join(folder, 'data'))
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  for (const shot of shots) await take(shot)
} finally {
  await browser.close()
  service.process.kill('SIGTERM')
  await once(service.process, 'exit')
  rmSync(folder, { recursive: true, force: true })
}

async function take({ name, path, ready, act, acted, viewport = DESK, colorScheme = 'light' }) {
  const context = await browser.newContext({ viewport, colorScheme, locale: 'en-US', reducedMotion: 'reduce' })
  const page = await context.newPage()
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
