/**
 * Does six tasks of viewers in Chromium at three widths and in two themes, and prints the clicks from the start page and
 * where the answer begins; then the size of a first visit, and what axe finds on every page that needs no account. Fails if
 * a task takes more than two clicks, an answer begins below the fold, axe finds a fault, or scripts and styles have 60 KB.
 *
 *   npm run build && npm start
 *   node scripts/measure-pages.mjs [http://127.0.0.1:8080] [--quick]
 *
 * It needs the demo catalog. `--quick` measures the tasks and the size, without axe.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'

const address = process.argv[2]?.startsWith('http') ? process.argv[2] : 'http://127.0.0.1:8080'
const isQuick = process.argv.includes('--quick')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const WIDTHS = { 1440: 900, 768: 1024, 390: 844 }
const THEMES = ['light', 'dark']
const MAX_CLICKS = 2
const MAX_FIRST_VISIT_BYTES = 60 * 1024

/** What the viewer has; see the settings page. */
const SERVICES = ['netflix', 'prime', 'paramount', 'mubi']

const TITLE = 'the godfather'

/** Finds a title by the search box: typing is no click. */
async function openTitle(page, click) {
  await page.getByRole('combobox', { name: 'Search for a title' }).fill(TITLE)
  await click(page.locator('.search-option').first())
}

/** Each task: the country, what is done, and where its answer is. */
const TASKS = [
  { name: 'where can I watch this in Germany', country: 'de', act: openTitle, answer: '.best-way, .where .notice' },
  {
    name: 'what leaves my services this week',
    country: 'us',
    async act(page, click) {
      await click(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Leaving', exact: true }))
      await click(page.getByRole('link', { name: 'This week' }))
    },
    answer: '.change, .calendar-page .notice',
  },
  {
    name: 'a thriller under two hours that is included',
    country: 'us',
    async act(page, click) {
      await click(page.getByRole('navigation', { name: 'Genres' }).getByRole('link', { name: 'Thriller', exact: true }))
      await click(page.getByRole('navigation', { name: 'Quick filters' }).getByRole('link', { name: 'up to 2 h' }))
    },
    answer: '.browse-found .show-card',
  },
  {
    name: 'cheapest way to rent it',
    country: 'us',
    act: openTitle,
    answer: '.way:has-text("Rent") .offer-price',
  },
  {
    name: 'which country has it on a service that I have',
    country: 'us',
    async act(page, click) {
      await openTitle(page, click)
      await page.locator('.countries tbody tr').first().waitFor()
      await click(page.getByRole('link', { name: 'In other countries' }))
    },
    answer: '.countries tbody tr',
  },
  { name: 'tell me when it comes', country: 'us', act: openTitle, answer: '.where-more a[type]' },
]

/** Pages that need no account, and what is there once they are complete; the tests check the same. */
const { viewers, public: others } = JSON.parse(
  readFileSync(new URL('../web/test/support/pages.json', import.meta.url), 'utf8'),
)
const PAGES = [...viewers, ...others, { path: '/no-such-page', ready: 'h1' }]

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const faults = []
try {
  await measureTasks()
  await measureFirstVisit()
  if (!isQuick) await checkPages()
} finally {
  await browser.close()
}
for (const fault of faults) process.stdout.write(`FAULT ${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0

async function measureTasks() {
  for (const [width, height] of Object.entries(WIDTHS)) {
    for (const colorScheme of THEMES) {
      for (const { name, country, act, answer } of TASKS) {
        const { context, page } = await open({ width: Number(width), height, colorScheme })
        await page.goto(`${address}/?country=${country}&lang=en`)
        await page.locator('html[data-live]').waitFor()
        let clicks = 0
        await act(page, async (locator) => {
          clicks++
          await locator.click()
        })
        const found = page.locator(answer).first()
        await found.waitFor()
        // The page may still be on its way to the place that the link leads to.
        await page.waitForLoadState('networkidle')
        const y = Math.round(await found.evaluate((element) => element.getBoundingClientRect().top))
        const isSeen = y >= 0 && y < height
        process.stdout.write(
          `${width.padStart(4)} ${colorScheme.padEnd(5)} ${name.padEnd(47)} ${clicks} clicks, answer at ${y} of ${height} px\n`,
        )
        if (clicks > MAX_CLICKS) faults.push(`${name}: ${clicks} clicks`)
        if (!isSeen) faults.push(`${name} at ${width} px, ${colorScheme}: the answer is at ${y} of ${height} px`)
        await context.close()
      }
    }
  }
}

async function measureFirstVisit() {
  const { context, page } = await open({ width: 390, height: 844, colorScheme: 'light' })
  const sizes = []
  page.on('response', (response) => {
    if (/\.(?:js|css)$/.test(new URL(response.url()).pathname))
      sizes.push(response.body().then((body) => gzipSync(body).length))
  })
  await page.goto(`${address}/?country=us&lang=en`, { waitUntil: 'networkidle' })
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  process.stdout.write(`first visit: ${sizes.length} scripts and styles, ${(total / 1024).toFixed(1)} KB gzipped\n`)
  if (total >= MAX_FIRST_VISIT_BYTES) faults.push(`a first visit has ${total} bytes of script and style`)
  await context.close()
}

async function checkPages() {
  let checks = 0
  for (const [width, height] of Object.entries(WIDTHS)) {
    for (const colorScheme of THEMES) {
      const { context, page } = await open({ width: Number(width), height, colorScheme })
      for (const { path, ready } of PAGES) {
        await page.goto(`${address}${path}${path.includes('?') ? '&' : '?'}country=us&lang=en`)
        await page.locator('html[data-live]').waitFor()
        await page.locator(ready).first().waitFor()
        await check(page, `${path} at ${width} px, ${colorScheme}`)
        checks++
      }
      await page.goto(`${address}/browse?country=us&lang=en`)
      await page.locator('html[data-live]').waitFor()
      if (Number(width) < 900) await page.locator('.filters > summary').click()
      await check(page, `open filters at ${width} px, ${colorScheme}`)
      await page.getByRole('combobox', { name: 'Search for a title' }).fill('the')
      await page.locator('.search-option').first().waitFor()
      await check(page, `open search at ${width} px, ${colorScheme}`)
      checks += 2
      await context.close()
    }
  }
  process.stdout.write(`axe: ${checks} pages and states\n`)
}

async function check(page, where) {
  await page.evaluate(AXE)
  const violations = await page.evaluate(async () => {
    const { violations: found } = await window.axe.run({ resultTypes: ['violations'] })
    return found.map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0].html.slice(0, 120)}`)
  })
  for (const violation of violations) faults.push(`${where}: ${violation}`)
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  if (overflow > 0) faults.push(`${where}: scrolls sideways by ${overflow} px`)
}

async function open({ width, height, colorScheme }) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    locale: 'en-US',
    reducedMotion: 'reduce',
  })
  const preferences = new URLSearchParams({ services: SERVICES.join() })
  await context.addCookies([{ name: 'marquee_preferences', value: String(preferences), url: address }])
  const page = await context.newPage()
  // The drawings of the demo are slow, and say nothing here.
  await page.route('**/artwork/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  )
  return { context, page }
}
