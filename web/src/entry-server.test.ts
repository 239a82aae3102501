import { expect, it } from 'vitest'
import type { CatalogInfo, Viewer } from './app/viewer.ts'
import { type FirstView, prepareView, renderFirstView } from './entry-server.tsx'

const COUNTRIES = ['es', 'fr', 'gb', 'tr', 'us']
const VIEWERS: readonly Viewer[] = [
  { country: 'us', language: 'en' },
  { country: 'es', language: 'es' },
  { country: 'fr', language: 'fr' },
  { country: 'tr', language: 'tr' },
  { country: 'gb', language: 'tr' },
]

const POPULAR: Readonly<Record<string, string>> = {
  en: 'Popular this week',
  es: 'Popular esta semana',
  fr: 'Populaire cette semaine',
  tr: 'Bu hafta popüler',
}

function aCatalog(viewer: Viewer): CatalogInfo {
  const countries = COUNTRIES.map((code) => ({ code, name: `country ${code} in ${viewer.language}` }))
  return { isDemo: false, countries, language: viewer.language, guess: viewer, attributions: [] }
}

function aShow(title: string): object {
  const imageSet = { verticalPoster: {}, horizontalPoster: {} }
  return {
    ...{ itemType: 'show', showType: 'movie', id: '1', imdbId: 'tt1', tmdbId: 'movie/1', title, overview: '' },
    ...{ originalTitle: title, genres: [], cast: [], directors: [], rating: 50, releaseYear: 2000, imageSet },
    streamingOptions: {},
  }
}

/** The start page with a popular show of this title. */
function aStartPage(viewer: Viewer, title: string): FirstView {
  const { country, language } = viewer
  const page = JSON.stringify({ shows: [aShow(title)], hasMore: false })
  const answers = new Map([
    [`/v4/countries/${country}?output_language=${language}`, JSON.stringify({ countryCode: country, services: [] })],
    [`/v4/genres?output_language=${language}`, JSON.stringify([{ id: 'crime', name: 'Crime' }])],
    [`/v4/shows/search/filters?country=${country}&output_language=${language}&order_by=popularity_1week`, page],
  ])
  return { path: '/', viewer, facts: aCatalog(viewer), answers }
}

function aShowPage(viewer: Viewer, title: string): FirstView {
  const { country, language } = viewer
  const request = `/v4/shows/tt1?country=${country}&series_granularity=show&output_language=${language}`
  return {
    path: '/show/tt1',
    viewer,
    facts: aCatalog(viewer),
    answers: new Map([[request, JSON.stringify(aShow(title))]]),
  }
}

function expectPage(html: string, { country, language }: Viewer): void {
  expect(html).toContain(`lang=${language}`)
  expect(html.match(/country=\w\w/g)?.every((text) => text === `country=${country}`)).toBe(true)
  expect(html.match(/(?<=country \w\w in )\w\w/g)?.every((other) => other === language)).toBe(true)
}

it('renders interleaved requests, each in its own language and country', async () => {
  const views = [...VIEWERS, ...VIEWERS, ...VIEWERS].map((viewer, number) => ({ viewer, title: `Title ${number}` }))
  const rendered = await Promise.all(
    views.map(async ({ viewer, title }, number) => {
      // Requests start at different steps of those before them.
      for (let step = 0; step < number; step++) await Promise.resolve()
      return renderFirstView(number % 2 === 0 ? aStartPage(viewer, title) : aShowPage(viewer, title))
    }),
  )
  rendered.forEach(({ html, title: pageTitle }, number) => {
    const { viewer, title } = views[number] as (typeof views)[number]
    expectPage(html, viewer)
    expect(html.match(/Title \d+/g)?.every((text) => text === title)).toBe(true)
    if (number % 2 === 0) expect(html).toContain(POPULAR[viewer.language])
    else expect(pageTitle).toBe(`${title} · Marquee`)
  })
})

it('shows what to do next while the catalog is empty', async () => {
  for (const viewer of VIEWERS) {
    const view = aStartPage(viewer, 'Nothing')
    const { html } = await renderFirstView({ ...view, facts: { ...view.facts, countries: [] } })
    expect(html).toContain('marquee import FILE')
    expect(html).not.toContain(POPULAR[viewer.language])
  }
})

it('renders a page beside another one as it does alone', async () => {
  const [one, other] = [aStartPage(VIEWERS[0] as Viewer, 'One'), aShowPage(VIEWERS[3] as Viewer, 'Other')]
  const alone = [await renderFirstView(one), await renderFirstView(other)]
  expect(await Promise.all([renderFirstView(one), renderFirstView(other)])).toEqual(alone)
})

it('keeps results of one request out of the next', async () => {
  const viewer = VIEWERS[0] as Viewer
  const rendered = await Promise.all([
    renderFirstView(aStartPage(viewer, 'Metropolis')),
    renderFirstView(aStartPage(viewer, 'Nosferatu')),
  ])
  expect(rendered.map(({ html }) => /Metropolis|Nosferatu/.exec(html)?.[0])).toEqual(['Metropolis', 'Nosferatu'])
})

it('does not render a page without the results that it needs', async () => {
  const view = { ...aStartPage(VIEWERS[0] as Viewer, 'One'), answers: new Map<string, string>() }
  await expect(renderFirstView(view)).rejects.toThrow('no preloaded response')
})

it('renders the not-found page for an unknown path', async () => {
  const viewer = VIEWERS[1] as Viewer
  const { html, title } = await renderFirstView({
    path: '/nowhere',
    viewer,
    facts: aCatalog(viewer),
    answers: new Map(),
  })
  expect(title).toBe('Esta página no existe · Marquee')
  expectPage(html, viewer)
})

it('renders filters with their counts, which work as a form without a script', async () => {
  const viewer = { country: 'us', language: 'en' } as const
  const filters = 'country=us&output_language=en&genres=crime&runtime_max=120'
  const facets = { services: [], showTypes: [{ value: 'movie', count: 214 }], genres: [], languages: [] }
  const shows = JSON.stringify({ shows: [aShow('Heat')], hasMore: false })
  /** Counts a step by its length, and others as none. */
  const countSteps = (request: string) => {
    const steps = new URLSearchParams(request.split('?')[1]).get('steps')?.split(',') ?? []
    return steps.map((step) => {
      const [filter, value = ''] = step.split(':')
      return { filter, value, count: filter === 'runtime_max' ? 1_000 + Number(value) : 0 }
    })
  }
  const answer = async (request: string) => {
    if (request === '/v4/countries/us?output_language=en') return JSON.stringify({ countryCode: 'us', services: [] })
    if (request === '/v4/genres?output_language=en') return JSON.stringify([{ id: 'crime', name: 'Crime' }])
    if (request === `/v4/shows/search/filters?${filters}&order_by=popularity_1week`) return shows
    return JSON.stringify({ count: 214, facets, steps: countSteps(request) })
  }
  const search = 'genres=crime&runtime_max=120'
  const prepared = await prepareView({ path: '/browse', search, viewer, facts: aCatalog(viewer) }, answer)
  expect(prepared.answers.size).toBe(4)
  const { html } = prepared.render()
  expect(html).toContain('214 titles')
  expect(html).toContain('Show 214 results')
  expect(html).toMatch(/<form[^>]* action="\/browse"/)
  expect(html).toMatch(/<button[^>]*name="runtime_max"[^>]*value="90"/)
  // A length that is not chosen says how many titles there would be.
  expect(
    [...html.matchAll(/name="runtime_max" value="(\d+)"[^>]*aria-description="([^"]*)"/g)].map(([, ...found]) => found),
  ).toEqual([
    ['90', '1,090 titles'],
    ['150', '1,150 titles'],
  ])
  expect(html).toMatch(/<button[^>]*name="price_max"[^>]*value="5"/)
  expect(html).toMatch(/<select[^>]*name="audios"/)
  expect(html).toMatch(/<input[^>]*name="people"/)
  expect(html).toMatch(/<input[^>]*name="price_max"/)
})
