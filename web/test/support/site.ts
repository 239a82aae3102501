import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { describe, onTestFinished } from 'vitest'
import { type DemoService, startDemoService } from '../../../server/test/support/demo-service.ts'
import { onFileFinished } from '../../../server/test/support/file-cleanup.ts'
import type { RunningService } from '../../../server/test/support/marquee-process.ts'

/** Chromium without windows starts faster and takes a fifth less processor time than Chromium that hides its windows. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const CHROMIUM = process.env.CHROMIUM ?? PROGRAMS.find(existsSync) ?? '/usr/bin/chromium'
const isInstalled = existsSync(CHROMIUM)
const isRequired = process.env.MARQUEE_REQUIRE_ALL === '1'

if (!isInstalled && !isRequired) {
  process.stdout.write(
    `Tests in a browser are skipped: there is no ${CHROMIUM}. Install it with: apt-get install chromium\n`,
  )
}

/** Tests in a real browser; skipped where there is none, unless everything is required. */
export const describeInBrowser = describe.skipIf(!isInstalled && !isRequired)

/** A host name of this machine that is no secure context without TLS, unlike its loopback address. */
export const PLAIN_HOST = 'marquee.test'

const NO_PICTURE = { contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }

const DEFAULTS = { locale: 'en-US', viewport: { width: 1280, height: 900 } }

let launched: Promise<Browser> | undefined

/** One browser for all sites of a test process. */
function sharedBrowser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: CHROMIUM,
    // Chromium cannot create its sandbox as root, as in containers.
    args: ['--no-sandbox', `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`],
  })
  return launched
}

/** Pages that earlier tests gave back, by the options of their context. A page that is used again keeps its renderer process, whose start costs more than most tests. */
const idlePages = new Map<string, Page[]>()

/** A page without cookies or storage, in a browser context of its own. */
async function acquirePage(options: BrowserContextOptions): Promise<Page> {
  const idle = idlePages.get(JSON.stringify(options))?.pop()
  return idle ?? (await (await sharedBrowser()).newContext(options)).newPage()
}

/** Gives a page back, as it was before its first visit but for the HTTP cache; closes it if that fails. */
async function releasePage(page: Page, options: BrowserContextOptions, address: string): Promise<void> {
  const context = page.context()
  try {
    page.removeAllListeners()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.setOffline(false)
    for (const other of context.pages()) if (other !== page) await other.close()
    // A document of the same site, so that the renderer process stays; it runs no script that could store something again.
    await page.goto(new URL('/robots.txt', address).href)
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await context.clearCookies()
    await page.setViewportSize(options.viewport ?? DEFAULTS.viewport)
    await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null })
    const key = JSON.stringify(options)
    idlePages.set(key, [...(idlePages.get(key) ?? []), page])
  } catch {
    await context.close()
  }
}

/** A running service, and a browser to look at its pages with. */
export interface Site<Service extends RunningService = RunningService> {
  readonly service: Service
  /** Opens a page without cookies or storage for one test. Files of the site may be in the browser's cache. */
  open(path: string, options?: VisitOptions): Promise<VisitedPage>
  /** Opens a page in a new browser context for one test: with an empty cache, and for scripts that a test adds. */
  openNew(path: string, options?: VisitOptions): Promise<VisitedPage>
  /** Opens a page for all tests of a file; `goTo` navigates on it. */
  keepOpen(path: string, options?: VisitOptions): Promise<VisitedPage>
}

/** How a page is visited. */
export interface VisitOptions extends BrowserContextOptions {
  /** Without images long lists are much faster, since those of the demo are slow to draw. */
  readonly hasPictures?: boolean
  /** The host name of the URL; the address of the service if absent. */
  readonly host?: string
}

/** A page with its recorded problems. */
export interface VisitedPage {
  readonly page: Page
  /** Errors on the console, exceptions, and requests that failed. */
  readonly problems: string[]
}

/** The site on a small demo catalog. */
export async function openDemoSite(): Promise<Site<DemoService>> {
  return openSite(await startDemoService())
}

/** The site of a service. */
export async function openSite<Service extends RunningService>(service: Service): Promise<Site<Service>> {
  return {
    service,
    async open(path, { hasPictures = true, host, ...options } = {}) {
      const wanted = { ...DEFAULTS, ...options }
      const page = await acquirePage(wanted)
      onTestFinished(() => releasePage(page, wanted, addressOf('/', host)))
      return visit(page, addressOf(path, host), hasPictures, wanted)
    },
    async openNew(path, { hasPictures = true, host, ...options } = {}) {
      const context = await (await sharedBrowser()).newContext({ ...DEFAULTS, ...options })
      onTestFinished(() => context.close())
      return visit(await context.newPage(), addressOf(path, host), hasPictures, options)
    },
    async keepOpen(path, { hasPictures = true, host, ...options } = {}) {
      const wanted = { ...DEFAULTS, ...options }
      const page = await acquirePage(wanted)
      onFileFinished(() => releasePage(page, wanted, addressOf('/', host)))
      return visit(page, addressOf(path, host), hasPictures, wanted)
    },
  }

  function addressOf(path: string, host?: string): string {
    const address = new URL(path, service.address)
    if (host !== undefined) address.hostname = host
    return address.href
  }

  async function visit(
    page: Page,
    address: string,
    hasPictures: boolean,
    { javaScriptEnabled = true }: BrowserContextOptions,
  ): Promise<VisitedPage> {
    // Shorter than the timeout of a test, so that a failure names what was waited for.
    page.setDefaultTimeout(120_000)
    const problems = watch(page)
    if (!hasPictures) await page.route('**/artwork/**', (route) => route.fulfill(NO_PICTURE))
    // Tests wait for the elements that they need, not for all images.
    await page.goto(address, { waitUntil: 'domcontentloaded' })
    // Until its script has taken over, a rendered page acts through the service.
    if (javaScriptEnabled && (await page.locator('#app').count()) > 0) await page.locator('html[data-live]').waitFor()
    return { page, problems }
  }
}

/** Navigates without reloading the site, as a link does, and waits for a selector. */
export async function goTo(page: Page, path: string, ready: string): Promise<void> {
  const follow = (to: string) => {
    history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }
  // The selector may match on the current page too, so this passes through the not-found page first.
  const nowhere = new URL('/no-such-page', page.url())
  nowhere.search = new URL(path, page.url()).search
  await page.evaluate(follow, nowhere.href)
  await page.locator('main .button[href^="/?"]').waitFor()
  await page.evaluate(follow, new URL(path, page.url()).href)
  await page.locator(ready).first().waitFor()
}

function watch(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(`console: ${message.text()}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // A component that is unmounted aborts its request.
    if (reason !== 'net::ERR_ABORTED') problems.push(`request: ${request.url()} ${reason}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`answer: ${response.status()} ${response.url()}`)
  })
  return problems
}
