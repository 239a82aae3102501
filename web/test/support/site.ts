import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { describe, onTestFinished } from 'vitest'
import { type DemoService, startDemoService } from '../../../server/test/support/demo-service.ts'
import { onFileFinished } from '../../../server/test/support/file-cleanup.ts'
import type { RunningService } from '../../../server/test/support/marquee-process.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const isThere = existsSync(CHROMIUM)
const isRequired = process.env.MARQUEE_REQUIRE_ALL === '1'

if (!isThere && !isRequired) {
  process.stdout.write(
    `Tests in a browser are skipped: there is no ${CHROMIUM}. Install it with: apt-get install chromium\n`,
  )
}

/** Tests in a real browser; skipped where there is none, unless everything is required. */
export const describeInBrowser = describe.skipIf(!isThere && !isRequired)

/** A name for this machine that browsers do not trust without encryption, as they do its address. */
export const PLAIN_HOST = 'marquee.test'

const NO_PICTURE = { contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }

let launched: Promise<Browser> | undefined

/** One browser for all sites that a process of tests opens; it goes with the process. */
function theBrowser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: CHROMIUM,
    // Chromium cannot make its sandbox when it is started by root, as in containers.
    args: ['--no-sandbox', `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`],
  })
  return launched
}

/** A running service, and a browser to look at its pages with. */
export interface Site<Service extends RunningService = RunningService> {
  readonly service: Service
  /** Opens a page for the length of a test. Pages with the same options share what the browser keeps. */
  open(path: string, options?: VisitOptions): Promise<VisitedPage>
  /** Opens a page as somebody whom the site has not seen before, and who shares nothing with others. */
  openAlone(path: string, options?: VisitOptions): Promise<VisitedPage>
  /** Opens a page, as somebody of their own, for all tests of a file; `goTo` leads on from it. */
  keepOpen(path: string, options?: VisitOptions): Promise<VisitedPage>
}

/** How a page is visited. */
export interface VisitOptions extends BrowserContextOptions {
  /** Without pictures long lists take a fraction of the time, since the demo's are dear to draw. */
  readonly hasPictures?: boolean
  /** The name that the site is visited under; its address if absent. */
  readonly host?: string
}

/** A page of the site that remembers what went wrong on it. */
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
  const browser = await theBrowser()
  const contexts = new Map<string, Promise<BrowserContext>>()
  onFileFinished(async () => {
    for (const context of contexts.values()) await (await context).close()
  })
  const usual: BrowserContextOptions = { locale: 'en-US', viewport: { width: 1280, height: 900 } }
  return {
    service,
    async open(path, { hasPictures = true, host, ...options } = {}) {
      const wanted = { ...usual, ...options }
      const context = contexts.get(JSON.stringify(wanted)) ?? browser.newContext(wanted)
      contexts.set(JSON.stringify(wanted), context)
      const page = await (await context).newPage()
      onTestFinished(() => page.close())
      return visit(page, addressOf(path, host), hasPictures)
    },
    async openAlone(path, { hasPictures = true, host, ...options } = {}) {
      const context = await browser.newContext({ ...usual, ...options })
      onTestFinished(() => context.close())
      return visit(await context.newPage(), addressOf(path, host), hasPictures)
    },
    async keepOpen(path, { hasPictures = true, host, ...options } = {}) {
      const context = await browser.newContext({ ...usual, ...options })
      onFileFinished(() => context.close())
      return visit(await context.newPage(), addressOf(path, host), hasPictures)
    },
  }

  function addressOf(path: string, host?: string): string {
    const address = new URL(path, service.address)
    if (host !== undefined) address.hostname = host
    return address.href
  }

  async function visit(page: Page, address: string, hasPictures: boolean): Promise<VisitedPage> {
    page.setDefaultTimeout(60_000)
    const problems = watch(page)
    if (!hasPictures) await page.route('**/artwork/**', (route) => route.fulfill(NO_PICTURE))
    // Tests wait for what they look for, and mostly that is not the last picture.
    await page.goto(address, { waitUntil: 'domcontentloaded' })
    return { page, problems }
  }
}

/** Goes to another page as a link of the site does, without loading the site anew, and waits for something there. */
export async function goTo(page: Page, path: string, ready: string): Promise<void> {
  const follow = (to: string) => {
    history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }
  // What is waited for may stand on the present page too: by a page that does not exist one is out of it for certain.
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
    // A page that no longer needs an answer gives its request up.
    if (reason !== 'net::ERR_ABORTED') problems.push(`request: ${request.url()} ${reason}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`answer: ${response.status()} ${response.url()}`)
  })
  return problems
}
