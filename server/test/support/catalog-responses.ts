import type { Catalog } from '../../src/catalog/catalog.ts'
import { ENDPOINTS } from '../../src/http/api/endpoints.ts'
import { ApiError } from '../../src/http/exchange/errors.ts'
import { createParameterParser } from '../../src/http/request/parameter-parser.ts'
import { POPULARITY_WINDOWS } from '../../src/model/show.ts'
import { CatalogQueryEngine } from '../../src/render/catalog-query-engine.ts'

/** The paths of requests that together return everything that a catalog holds. */
export function exhaustivePaths(catalog: Catalog): string[] {
  const { countries, genres, services } = catalog.reference()
  const ids = [...catalog.environment.ids.getKeys({})].filter((id) => !id.startsWith('='))
  const titles = new Set<string>()
  for (const doc of catalog.environment.facts.getKeys({})) {
    const show = catalog.show(doc)
    if (show !== undefined) titles.add(show.title).add(show.originalTitle)
  }
  const orders = ['original_title', 'release_date', 'rating', ...POPULARITY_WINDOWS.map((one) => `popularity_${one}`)]
  const paths = ['/countries', '/countries?output_language=fr', '/genres', '/genres?output_language=fr']
  paths.push(...ids.map((id) => `/shows/${id}`), ...ids.map((id) => `/shows/${id}?output_language=fr`))
  for (const country of Object.keys(countries)) {
    const search = `/shows/search/filters?country=${country}`
    paths.push(`/countries/${country}`)
    for (const order of orders) {
      for (const direction of ['asc', 'desc']) paths.push(`${search}&order_by=${order}&order_direction=${direction}`)
    }
    paths.push(...Object.keys(genres).map((genre) => `${search}&genres=${genre}&series_granularity=episode`))
    paths.push(...Object.keys(services).map((id) => `${search}&catalogs=${id}&series_granularity=season`))
    paths.push(`${search}&keyword=story`, `${search}&year_min=2002`, `${search}&show_original_language=fr`)
    for (const title of titles) {
      if (title !== '') paths.push(`/shows/search/title?country=${country}&title=${encodeURIComponent(title)}`)
    }
    for (const id of Object.keys(services)) paths.push(`/shows/top?country=${country}&service=${id}`)
    for (const type of ['new', 'updated', 'removed', 'expiring', 'upcoming']) {
      for (const item of ['show', 'season', 'episode']) {
        const dates = type === 'expiring' || type === 'upcoming' ? '&include_unknown_dates=true' : ''
        paths.push(`/changes?country=${country}&change_type=${type}&item_type=${item}${dates}`)
      }
    }
  }
  return paths
}

const endpoints = ENDPOINTS.map((endpoint) => ({ endpoint, reader: createParameterParser(endpoint.parameters) }))

/** Runs request paths against a catalog as the HTTP side does, without keys and headers. */
class QueryRunner {
  private readonly engine: CatalogQueryEngine
  private readonly now: number

  constructor(catalog: Catalog, now: number) {
    this.engine = new CatalogQueryEngine(catalog, { maxShowBytes: 16 * 1024 * 1024 })
    this.now = now
  }

  /** The body of the response, or `not found`, or the code of the error. */
  run(path: string): string {
    const [pathname = '', search = ''] = path.split('?')
    for (const { endpoint, reader } of [...endpoints].reverse()) {
      for (const route of endpoint.routes) {
        const parameters = matchRoute(route, pathname)
        if (parameters === undefined) continue
        try {
          const names = this.engine.names()
          const context = { names, now: this.now, countries: 'array' as const, strict: true, ignore: () => {} }
          const query = endpoint.toQuery(reader.parse(reader.scan(search, true)), parameters, context)
          if (query.kind === 'export' || query.kind === 'changes-stream') throw new Error('A stream has no whole body')
          return this.engine.execute(query, this.now)?.body.bytes.toString() ?? 'not found'
        } catch (error) {
          if (error instanceof ApiError) return error.code
          throw error
        }
      }
    }
    throw new Error(`There is no endpoint for ${path}`)
  }
}

function matchRoute(route: string, pathname: string): Record<string, string> | undefined {
  const pattern = route.replace(/:(\w+)/g, '(?<$1>[^/]+)')
  const match = new RegExp(`^${pattern}$`).exec(pathname)
  return match === null ? undefined : { ...match.groups }
}

/** The responses to the paths, all pages of each, by path and cursor. */
export function collectResponses(
  { ledger, now }: { readonly ledger: { readonly catalog: Catalog }; readonly now: number },
  paths: readonly string[],
): Record<string, string> {
  const runner = new QueryRunner(ledger.catalog, now)
  const responses: Record<string, string> = {}
  for (const path of paths) {
    for (let cursor = ''; ; ) {
      const text = runner.run(path + cursor)
      responses[path + cursor] = text
      const next = /"hasMore":true,"nextCursor":(".*")\}$/.exec(text)
      if (next === null) break
      cursor = `&cursor=${encodeURIComponent(JSON.parse(next[1] as string))}`
    }
  }
  return responses
}
