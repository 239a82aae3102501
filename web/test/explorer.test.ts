import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { DemoService } from '../../server/test/support/demo-service.ts'
import { describeInBrowser, openDemoSite, PLAIN_HOST, type Site } from './support/site.ts'

describeInBrowser('the explorer', () => {
  let site: Site<DemoService>
  let key: string

  beforeAll(async () => {
    site = await openDemoSite()
    key = await site.service.createKey()
  })

  const api = async (path: string) => {
    const response = await fetch(`${site.service.address}/v4${path}`, { headers: { 'X-API-Key': key } })
    expect(response.status).toBe(200)
    return response.json()
  }
  const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)
  const cards = (page: Page) => page.locator('.show-card h3')

  it('guesses country and language from the browser, and keeps them in the address', async () => {
    const { page, problems } = await site.open('/', { locale: 'en-GB' })
    await page.getByRole('heading', { name: 'Popular this week' }).waitFor()
    await cards(page).first().waitFor()
    expect(queryOf(page)).toEqual({ country: 'gb', lang: 'en' })
    expect(await page.locator('.demo-banner').textContent()).toContain('invented')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')

    const turkish = await site.open('/', { locale: 'tr-TR' })
    await turkish.page.getByRole('heading', { name: 'Bu hafta popüler' }).waitFor()
    // The catalog has no such country: the first of its own is shown.
    expect(queryOf(turkish.page)).toEqual({ country: 'us', lang: 'tr' })
    expect([...problems, ...turkish.problems]).toEqual([])
  })

  it('answers while one types, and is worked with the keyboard alone', async () => {
    const { page, problems } = await site.open('/?country=us&lang=en')
    await cards(page).first().waitFor()
    await page.keyboard.press('/')
    const field = page.getByRole('combobox', { name: 'Search for a title' })
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.type('godfather')
    const options = page.getByRole('option')
    await options.filter({ hasText: 'The Godfather' }).first().waitFor()
    expect(await field.getAttribute('aria-expanded')).toBe('true')

    await page.keyboard.press('ArrowDown')
    const active = await field.getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${active}"]`).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowUp')
    expect(await field.getAttribute('aria-activedescendant')).toBeNull()

    await page.keyboard.press('Escape')
    expect(await field.getAttribute('aria-expanded')).toBe('false')
    expect(await field.inputValue()).toBe('godfather')
    await page.keyboard.press('Escape')
    expect(await field.inputValue()).toBe('')

    const found = (await api('/shows/search/title?country=us&title=godfahter')) as { title: string }[]
    await page.keyboard.type('godfahter')
    const titles = page.locator('.search-option-title')
    await expect.poll(() => titles.allTextContents()).toEqual(found.slice(0, 6).map(({ title }) => title))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const first = found[0]?.title as string
    expect(first).toContain('The Godfather')
    await page.getByRole('heading', { level: 1, name: first, exact: true }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/show\/\d+\/[a-z0-9-]+$/)
    await expect.poll(() => page.title()).toBe(`${first} · Marquee`)
    expect(problems).toEqual([])
  })

  it('lists all that a title finds, and helps where it finds nothing', async () => {
    const { page, problems } = await site.open('/?country=us&lang=en')
    const field = page.getByRole('combobox', { name: 'Search for a title' })
    await field.fill('the')
    await field.press('Enter')
    await page.getByRole('heading', { name: 'Titles like “the”' }).waitFor()
    const found = (await api('/shows/search/title?country=us&title=the')) as { title: string }[]
    await cards(page)
      .nth(found.length - 1)
      .waitFor()
    expect(await cards(page).allTextContents()).toEqual(found.map(({ title }) => title))

    // The last row of the list leads to the same.
    await field.fill('god')
    await page.getByRole('option', { name: 'All titles like “god”' }).waitFor()
    await field.press('ArrowUp')
    await field.press('Enter')
    await page.getByRole('heading', { name: 'Titles like “god”' }).waitFor()

    await field.fill('qqqqzzzzqqqq')
    await page.getByText('No title like “qqqqzzzzqqqq” is known.').waitFor()
    await field.press('Enter')
    await page.getByRole('link', { name: 'Browse stories with “qqqqzzzzqqqq”' }).click()
    await page.getByText('Nothing fits all of these filters').waitFor()
    expect(queryOf(page).keyword).toBe('qqqqzzzzqqqq')
    expect(problems).toEqual([])
  })

  it('offers services, genres and popular shows where no title is searched for', async () => {
    const plain = await site.open('/search?country=us&lang=en', { javaScriptEnabled: false })
    expect(await cards(plain.page).count()).toBeGreaterThan(5)
    const main = plain.page.getByRole('main')
    await main.getByRole('navigation', { name: 'Genres' }).getByRole('link', { name: 'Thriller' }).click()
    expect(queryOf(plain.page).genres).toBe('thriller')

    const { page, problems } = await site.open('/browse?country=us&lang=en')
    await cards(page).first().waitFor()
    await page.goto(`${site.service.address}/no-such-page?country=us&lang=en`)
    problems.length = 0
    await page.getByRole('main').getByRole('link', { name: 'Search for a title' }).click()
    await page.getByRole('heading', { name: 'Popular this week' }).waitFor()
    // One can type at once.
    await page.keyboard.type('godfather')
    await page.getByRole('option').filter({ hasText: 'The Godfather' }).first().waitFor()
    expect(problems).toEqual([])

    const none = await site.open('/search?title=qqqqzzzz&country=us&lang=en', { javaScriptEnabled: false })
    expect(await cards(none.page).count()).toBeGreaterThan(5)
  })

  it('leads from a person to all of their shows', async () => {
    type Found = { id: string; title: string; cast: string[] }
    const [show] = (await api('/shows/search/title?country=us&title=the+godfather&limit=1')) as [Found]
    const name = show.cast[0] as string
    const { page, problems } = await site.open(`/show/${show.id}?country=us&lang=en`, { hasPictures: false })
    await page.locator('.show-people').getByRole('link', { name, exact: true }).click()
    await expect.poll(() => queryOf(page)).toEqual({ people: name, country: 'us', lang: 'en' })
    const wanted = new URLSearchParams({ country: 'us', people: name, order_by: 'popularity_1week' })
    const { shows } = (await api(`/shows/search/filters?${wanted}`)) as { shows: Found[] }
    expect(shows.every(({ cast }) => cast.includes(name))).toBe(true)
    await expect.poll(() => cards(page).allTextContents()).toEqual(shows.map(({ title }) => title))
    expect(problems).toEqual([])
  })

  /** The filters of services, types and genres, and the order, in an address. */
  const FIRST_FILTERS = {
    catalogs: 'prime.rent,netflix',
    show_type: 'movie',
    genres: 'crime,drama',
    genres_relation: 'or',
    order_by: 'rating',
    order_direction: 'asc',
    country: 'us',
  }
  /** The filters of the folded groups. */
  const FOLDED_FILTERS = {
    show_original_language: 'en',
    year_min: '1950',
    year_max: '2025',
    rating_min: '10',
    rating_max: '99',
    runtime_max: '150',
    audios: 'en',
    subtitles: 'es',
    quality_min: 'hd',
    price_max: '9.99',
    keyword: 'the',
  }

  it('puts services, types, genres and the order into the address', async () => {
    const { page, problems } = await site.open('/browse?country=us&lang=en', { hasPictures: false })
    const filters = page.locator('.filters')
    for (const name of ['Prime Video', 'Rent', 'Netflix', 'Movie', 'Crime', 'Drama']) {
      await filters.getByRole('button', { name, exact: true }).click()
    }
    await filters.getByLabel('With several genres').selectOption('or')
    await page.getByLabel('Order').selectOption('rating')
    await page.getByLabel('Direction').selectOption('asc')
    await expect.poll(() => queryOf(page)).toEqual({ ...FIRST_FILTERS, lang: 'en' })
    expect(problems).toEqual([])
  })

  it('heads a list by one person with the name', async () => {
    const { page } = await site.open('/browse?country=us&lang=en&people=Al+Pacino', { hasPictures: false })
    await page.getByRole('heading', { level: 1, name: 'Al Pacino' }).waitFor()
    expect(await page.title()).toContain('Al Pacino')
    await page.getByRole('button', { name: 'Remove Al Pacino' }).click()
    await page.getByRole('heading', { level: 1, name: 'Browse' }).waitFor()
  })

  it('is printed light, and without pictures that may not be loaded', async () => {
    const { page } = await site.open('/browse?country=us&lang=en', { colorScheme: 'dark', hasPictures: false })
    const lightness = () =>
      page.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.documentElement).backgroundColor)?.[0]))
    expect(await lightness()).toBeLessThan(64)
    await page.emulateMedia({ media: 'print' })
    expect(await lightness()).toBeGreaterThan(192)
    expect(await page.locator('.show-card .poster').first().isVisible()).toBe(false)
    expect(await page.locator('.show-card h3').first().isVisible()).toBe(true)
  })

  it('puts the filters of folded groups into the address', async () => {
    const start = new URLSearchParams({ ...FIRST_FILTERS, lang: 'en' })
    const { page, problems } = await site.open(`/browse?${start}`, { hasPictures: false })
    const filters = page.locator('.filters')
    const chip = (name: string) => filters.getByRole('button', { name, exact: true })
    for (const group of ['Year and rating', 'Languages', 'Offer', 'People and words']) {
      await filters.locator('summary', { hasText: group }).click()
    }
    await filters.getByRole('group', { name: 'Years' }).getByLabel('From').fill('1950')
    await filters.getByRole('group', { name: 'Years' }).getByLabel('To').fill('2025')
    await filters.getByRole('group', { name: 'Rating', exact: true }).getByLabel('From').fill('10')
    await filters.getByRole('group', { name: 'Rating', exact: true }).getByLabel('To').fill('99')
    await filters.getByLabel('Original language').selectOption('en')
    await filters.getByLabel('Audio').selectOption('en')
    await filters.getByLabel('Subtitles').selectOption('es')
    await chip('Up to 2 h 30 min').click()
    await chip('HD or better').click()
    await filters.getByLabel('Rent or buy up to (USD)').fill('9,99')
    await filters.getByLabel('Word in title or story').fill('the')
    await expect.poll(() => queryOf(page)).toEqual({ ...FIRST_FILTERS, ...FOLDED_FILTERS, lang: 'en' })
    expect(problems).toEqual([])
  })

  it('keeps the panel of filters in place while a filter far down is chosen', async () => {
    const { page } = await site.open('/browse?country=us&lang=en&catalogs=prime', { hasPictures: false })
    const filters = page.locator('.filters')
    const heading = filters.locator('summary', { hasText: 'Languages' })
    await heading.click()
    await page.mouse.move(900, 600)
    await page.mouse.wheel(0, 3000)
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1000)
    const place = () => heading.evaluate((element) => Math.round(element.getBoundingClientRect().top))
    const before = await place()
    await filters.getByLabel('Audio').selectOption('en')
    const listTop = () => page.locator('.browse-found').evaluate((list) => Math.floor(list.getBoundingClientRect().top))
    await expect.poll(listTop).toBe(112)
    expect(await place()).toBe(before)
  })

  it('moves no filter while a button is pressed', async () => {
    const { page } = await site.open('/browse?country=us&lang=en', { hasPictures: false })
    const filters = page.locator('.filters')
    const chips = filters.locator('.option-count')
    await chips.first().waitFor()
    const counts = await chips.allTextContents()
    await filters.locator('summary', { hasText: 'Year and rating' }).click()
    await filters.getByRole('group', { name: 'Years' }).getByLabel('From').fill('2015')
    await filters.getByRole('button', { name: 'Up to 2 h 30 min', exact: true }).hover()
    const total = page.locator('.results-total')
    const unfiltered = await total.textContent()
    // Pressing takes the focus from the year, which is applied by that.
    await page.mouse.down()
    await expect.poll(() => total.textContent()).not.toBe(unfiltered)
    expect(await chips.allTextContents()).toEqual(counts)
    await page.mouse.up()
    await expect.poll(() => queryOf(page)).toEqual({ year_min: '2015', runtime_max: '150', country: 'us', lang: 'en' })
    await expect.poll(() => chips.allTextContents()).not.toEqual(counts)
  })

  it('reads every filter from the address', async () => {
    const all = { ...FIRST_FILTERS, ...FOLDED_FILTERS }
    const asked = new URLSearchParams({ ...all, currency: 'USD' })
    const { shows } = (await api(`/shows/search/filters?${asked}`)) as { shows: { title: string }[] }
    expect(shows.length).toBeGreaterThan(0)
    const { order_by: _order, order_direction: _direction, ...counted } = Object.fromEntries(asked)
    const { count } = (await api(`/shows/count?${new URLSearchParams(counted)}`)) as { count: number }
    const { page, problems } = await site.open(`/browse?${new URLSearchParams({ ...all, lang: 'en' })}`, {
      hasPictures: false,
    })
    await page.locator('.results-total', { hasText: new RegExp(`^${count} title`) }).waitFor()
    await cards(page)
      .nth(shows.length - 1)
      .waitFor()
    expect((await cards(page).allTextContents()).slice(0, shows.length)).toEqual(shows.map(({ title }) => title))
    expect(await page.getByLabel('Order').inputValue()).toBe('rating')
    const pressed = page.locator('.filters [aria-pressed="true"]')
    expect((await pressed.allTextContents()).filter((text) => text !== '')).toEqual([
      'Movie',
      'Rent',
      'Crime',
      'Drama',
      'Up to 2 h 30 min',
      'HD or better',
      'Any',
    ])

    await page.getByRole('button', { name: 'Remove Crime' }).click()
    expect(queryOf(page).genres).toBe('drama')
    await page.goBack()
    expect(queryOf(page).genres).toBe('crime,drama')
    await page.getByRole('link', { name: 'Clear all' }).click()
    await expect.poll(() => queryOf(page)).toEqual({ country: 'us', lang: 'en' })
    expect(problems).toEqual([])
  })

  it('chooses an addon of a service', async () => {
    const { page, problems } = await site.open('/browse?country=us&lang=en&catalogs=prime')
    const { services } = (await api('/countries/us')) as {
      services: { id: string; addons: { id: string; name: string }[] }[]
    }
    const addon = services.find(({ id }) => id === 'prime')?.addons[0] as { id: string; name: string }
    await page.locator('.service-parts').getByRole('button', { name: addon.name, exact: true }).click()
    expect(queryOf(page).catalogs).toBe(`prime.addon.${addon.id}`)
    await page.locator('.service-parts').getByRole('button', { name: 'Everything on it' }).click()
    expect(queryOf(page).catalogs).toBe('prime')
    expect(problems).toEqual([])
  })

  it('scrolls on to the last page, and finds the place again on the way back', async () => {
    const { page, problems } = await site.open('/browse?country=us&lang=en&show_type=movie', { hasPictures: false })
    const titles: string[] = []
    for (let cursor = ''; ; ) {
      const path = `/shows/search/filters?country=us&show_type=movie&order_by=popularity_1week&cursor=${encodeURIComponent(cursor)}`
      const { shows, nextCursor } = (await api(path)) as { shows: { title: string }[]; nextCursor?: string }
      titles.push(...shows.map(({ title }) => title))
      if (nextCursor === undefined) break
      cursor = nextCursor
    }
    expect(titles.length).toBeGreaterThan(40)
    const end = page.getByText(`That is all: ${titles.length} titles`)
    await cards(page).first().waitFor()
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 4000)
        return end.isVisible()
      })
      .toBe(true)
    expect(await cards(page).allTextContents()).toEqual(titles)

    const last = cards(page).last()
    await last.scrollIntoViewIfNeeded()
    const before = await page.evaluate(() => scrollY)
    await last.click()
    await page.getByRole('heading', { level: 1, name: titles.at(-1) as string, exact: true }).waitFor()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await page.goBack()
    await end.waitFor()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(before)
    expect(problems).toEqual([])
  })

  it('shows a series with its offers, seasons, episodes and other countries', async () => {
    const { page, problems } = await site.open('/show/tt0903747?country=us&lang=en')
    await page.getByRole('heading', { level: 1, name: 'Breaking Bad' }).waitFor()
    const show = (await api('/shows/tt0903747?country=us')) as {
      streamingOptions: { us: { service: { name: string }; link: string }[] }
      seasons: { title: string; episodes: { title: string }[] }[]
    }
    const where = page.getByRole('region', { name: 'Where to watch' })
    expect(await where.locator('.offer').count()).toBe(show.streamingOptions.us.length)
    const link = where.getByRole('link', { name: /^Watch on/ }).first()
    // The demo's links lead to the service itself, wherever it is reached.
    expect(await link.getAttribute('href')).toMatch(/^\/watch\//)
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer')

    // The answer is in view at once, on a phone too.
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1280, height: 720 },
    ]) {
      await page.setViewportSize(viewport)
      const best = await where.locator('.best-way').boundingBox()
      expect((best?.y ?? Number.NaN) + (best?.height ?? 0)).toBeLessThan(viewport.height)
    }

    const grid = page.locator('.season-grid')
    expect(await grid.locator('tbody tr').count()).toBe(show.seasons.length)
    expect(await grid.getByText('All episodes').count()).toBeGreaterThan(0)
    await page.locator('.season summary').first().click()
    const episode = show.seasons[0]?.episodes[0]?.title as string
    await page.locator('.episode').getByRole('heading', { name: episode, exact: true }).first().waitFor()

    await page.locator('.countries .table').getByRole('link', { name: 'United Kingdom' }).click()
    await expect.poll(() => queryOf(page).country).toBe('gb')
    await page.getByRole('heading', { level: 1, name: 'Breaking Bad' }).waitFor()
    expect(problems).toEqual([])
  })

  it('follows when country and language change', async () => {
    const { page, problems } = await site.open('/show/tt0068646?country=us&lang=en')
    await page.getByRole('heading', { level: 1, name: 'The Godfather' }).waitFor()
    await page.getByLabel('Language').selectOption('fr')
    await page.getByRole('heading', { level: 1, name: 'Le Parrain' }).waitFor()
    await page.getByRole('heading', { name: 'Où regarder' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('fr')
    await page.getByLabel('Pays', { exact: true }).selectOption('gb')
    await expect.poll(() => queryOf(page)).toEqual({ country: 'gb', lang: 'fr' })
    await page.getByLabel('Langue', { exact: true }).selectOption('es')
    await page.getByRole('heading', { name: 'Dónde verlo' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Où regarder' }).waitFor()
    expect(problems).toEqual([])
  })

  it.each([
    { path: '/new', heading: 'New', change: 'new' },
    { path: '/leaving', heading: 'Leaving soon', change: 'expiring' },
    { path: '/upcoming', heading: 'Upcoming', change: 'upcoming' },
  ])('has a calendar at $path', async ({ path, heading, change }) => {
    const { page, problems } = await site.open(`${path}?country=us&lang=en`)
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    const order = change === 'new' ? 'desc' : 'asc'
    const dated = `/changes?country=us&change_type=${change}&item_type=show&order_direction=${order}`
    const { changes } = (await api(dated)) as { changes: { timestamp: number; service: { id: string } }[] }
    const [first] = changes
    if (first === undefined) {
      await page.locator('.notice').waitFor()
      return
    }
    await page.locator('.change').first().waitFor()
    const day = new Date(first.timestamp * 1000)
    const label = day.toLocaleDateString('en', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
    await page.getByRole('link', { name: label }).click()
    await expect.poll(() => queryOf(page).day).toBe(day.toISOString().slice(0, 10))
    await expect.poll(() => page.locator('.day').count()).toBe(1)
    await page.getByLabel('Service').selectOption(first.service.id)
    await expect.poll(() => queryOf(page).service).toBe(first.service.id)
    await page.locator('.change').first().waitFor()
    await page.getByLabel('What').selectOption('episode')
    await page.getByRole('link', { name: 'All days' }).click()
    await expect
      .poll(() => queryOf(page))
      .toEqual({ service: first.service.id, item_type: 'episode', country: 'us', lang: 'en' })
    expect(problems).toEqual([])
  })

  it('shows the official lists of the services that have one', async () => {
    const { page, problems } = await site.open('/top?country=us&lang=en')
    await page.locator('.top').first().waitFor()
    const shows = (await api('/shows/top?country=us&service=netflix&show_type=movie')) as { title: string }[]
    const netflix = page.locator('.top').filter({ has: page.getByAltText('Netflix') })
    expect(await netflix.locator('.top-text a').allTextContents()).toEqual(shows.slice(0, 10).map(({ title }) => title))
    await page.locator('main').getByRole('link', { name: 'Series', exact: true }).click()
    await expect.poll(() => queryOf(page).show_type).toBe('series')
    await page.locator('.top').first().waitFor()
    expect(problems).toEqual([])
  })

  it('says that it is offline, and goes on by itself', async () => {
    const { page } = await site.open('/browse?country=us&lang=en')
    await cards(page).first().waitFor()
    await page.context().setOffline(true)
    await page.locator('.filters').getByRole('button', { name: 'Horror' }).click()
    await page.getByText('You are offline').waitFor()
    await page.context().setOffline(false)
    await cards(page).first().waitFor()
    expect(await page.getByText('You are offline').count()).toBe(0)

    // A page that was never opened is not there to be shown either.
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Top', exact: true }).click()
    await page.getByText('You are offline').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { level: 1, name: 'Top lists' }).waitFor()
  })

  it('goes on where the connection is back in the instant that it says so', async () => {
    const { page } = await site.open('/browse?country=us&lang=en')
    await cards(page).first().waitFor()
    await page.evaluate(() => {
      let isOnline = false
      Object.defineProperty(navigator, 'onLine', { get: () => isOnline })
      const observer = new MutationObserver(() => {
        if (!document.body.textContent?.includes('You are offline')) return
        observer.disconnect()
        isOnline = true
        window.dispatchEvent(new Event('online'))
      })
      observer.observe(document.body, { childList: true, subtree: true })
    })
    await page.route('**/v4/shows/search/filters*', async (route) => {
      const isOnline = await page.evaluate(() => navigator.onLine)
      return isOnline ? route.continue() : route.abort()
    })
    await page.locator('.filters').getByRole('button', { name: 'Horror' }).click()
    await page.waitForFunction(() => navigator.onLine)
    await page.getByText('You are offline').waitFor({ state: 'detached' })
    await cards(page).first().waitFor()
  })

  it.each([
    [429, 'rate_limited', 'Too many requests'],
    [503, 'overloaded', 'The service cannot be reached'],
  ])('waits when the service answers with %i, and then goes on by itself', async (status, code, title) => {
    const { page } = await site.open('/new?country=us&lang=en')
    await page.locator('.change').first().waitFor()
    let refusals = 0
    await page.route('**/v4/shows/search/filters*', async (route) => {
      // The client tries once more before it gives up.
      if (refusals++ >= 2) return route.continue()
      const body = JSON.stringify({ status, detail: title, code, retryAfter: 1 })
      const contentType = 'application/problem+json'
      return route.fulfill({ status, headers: { 'Retry-After': '1' }, contentType, body })
    })
    await page.getByRole('link', { name: 'Browse', exact: true }).click()
    await page.getByText(title).waitFor()
    await page.getByText('Goes on in 1 second').waitFor()
    await cards(page).first().waitFor()
    expect(await page.getByText(title).count()).toBe(0)
  })

  it('renews the visitor token when the service does not know the old one any more', async () => {
    const { page } = await site.open('/?country=us&lang=en')
    await cards(page).first().waitFor()
    await page.context().clearCookies()
    await page.getByRole('combobox', { name: 'Search for a title' }).fill('matrix')
    await page
      .getByRole('option', { name: /The Matrix/ })
      .first()
      .waitFor()
    const [pass] = await page.context().cookies()
    expect(pass).toMatchObject({ name: 'marquee_pass', httpOnly: true, sameSite: 'Lax' })
  })

  it('works without encryption under another name than that of this machine', async () => {
    const { page, problems } = await site.open('/?country=us&lang=en', { host: PLAIN_HOST })
    await cards(page).first().waitFor()
    await page.getByRole('combobox', { name: 'Search for a title' }).fill('matrix')
    await page.getByRole('option').first().waitFor()
    // Chromium says that it isolates windows only where there is encryption.
    expect(problems.filter((problem) => !problem.includes('Cross-Origin-Opener-Policy'))).toEqual([])
  })

  it('leads on from a country that the catalog does not have', async () => {
    const { page, problems } = await site.open('/browse?genres=crime&country=jp&lang=es', { locale: 'en-GB' })
    await page.getByRole('heading', { name: 'Este catálogo no incluye Japón' }).waitFor()
    const main = page.getByRole('main')
    expect(await main.getByRole('listitem').allTextContents()).toEqual(['Estados Unidos', 'Reino Unido'])
    await main.getByRole('link', { name: 'Seguir con Reino Unido' }).click()
    await cards(page).first().waitFor()
    expect(queryOf(page)).toEqual({ genres: 'crime', country: 'gb', lang: 'es' })
    // Pages that are of no country do not mind.
    await page.goto(`${site.service.address}/docs?country=zz&lang=en`)
    await page.locator('.operation-list').first().waitFor()
    expect(problems).toEqual([])
  })

  it('keeps the pages in one line on a phone, with the present one in view', async () => {
    const { page, problems } = await site.open('/top?country=us&lang=fr', { viewport: { width: 360, height: 740 } })
    const links = page.locator('.header-nav a')
    await links.last().waitFor()
    const boxes = await Promise.all((await links.all()).map((link) => link.boundingBox()))
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1)
    const current = page.locator('.header-nav [aria-current]')
    await expect
      .poll(async () => {
        const box = await current.boundingBox()
        return box !== null && box.x >= 0 && box.x + box.width <= 360
      })
      .toBe(true)
    expect(problems).toEqual([])
  })

  it('says so where a show is not known, and where a page does not exist', async () => {
    const { page } = await site.open('/show/tt9999999?country=us&lang=en')
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
    await page.getByText('The catalog does not know this.').waitFor()
    expect(await page.title()).toBe('Not found · Marquee')
    const asked = () =>
      page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/v4/')).length)
    expect(await asked()).toBe(1)
    await page.getByRole('main').getByRole('link', { name: 'Browse' }).click()
    await cards(page).first().waitFor()
    const unknown = await fetch(`${site.service.address}/no-such-page`)
    expect(unknown.status).toBe(404)
    expect(unknown.headers.get('X-Error-Code')).toBe('not_found')
  })

  it('leads past the header by keyboard, and reads a new page from its start', async () => {
    const { page, problems } = await site.open('/?country=us&lang=en')
    await cards(page).first().waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content')
    await page.getByRole('link', { name: 'Top', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Top lists' }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
    expect(problems).toEqual([])
  })
})
