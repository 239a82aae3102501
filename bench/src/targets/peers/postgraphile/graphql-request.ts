import type { HttpRequest } from '../../../lib/http.ts'
import type { ApiRequest } from '../../../workloads/api-request.ts'
import type { Page } from '../../target.ts'
import { normalize } from '../analyzer.ts'
import { type FilterQuery, parseChangesQuery, parseFilterQuery, parseShowType } from '../peer-store.ts'

/** Translates a request into GraphQL. */
export function graphqlRequest(request: ApiRequest, cursor: string | undefined): HttpRequest {
  const body = JSON.stringify(toOperation(request, cursor))
  return { method: 'POST', path: '/graphql', headers: { 'Content-Type': 'application/json' }, body }
}

interface Operation {
  readonly query: string
  readonly variables: Record<string, unknown>
}

function toOperation(request: ApiRequest, cursor: string | undefined): Operation {
  switch (request.kind) {
    case 'show':
      return showOperation(request)
    case 'filters':
      return filterOperation(parseFilterQuery(request.query), cursor)
    case 'title':
      return titleOperation(request)
    case 'changes':
      return changeOperation(request, cursor)
    default:
      throw new Error(`PostGraphile does not support ${request.kind}`)
  }
}

function showOperation({ path, query: { country } }: ApiRequest): Operation {
  const key = path.slice('/shows/'.length)
  const column = key.startsWith('tt') ? 'imdb' : key.includes('/') ? 'tmdb' : 'id'
  const type = column === 'id' ? 'BigInt!' : 'String!'
  const everywhere = country === undefined
  const query = `query($key: ${type}${everywhere ? '' : ', $country: String!'}) {
    allShows(condition: { ${column}: $key }, first: 1) {
      nodes { show: ${everywhere ? 'everywhere' : 'withEpisodes(ofCountry: $country)'} } } }`
  return { query, variables: everywhere ? { key } : { key, country } }
}

function titleOperation({ query: { title, country, ...others } }: ApiRequest): Operation {
  return {
    query: `query($phrase: String!, $country: String!, $movie: Boolean) {
      titleShows(phrase: $phrase, ofCountry: $country, onlyMovie: $movie) { nodes { show: inCountry(ofCountry: $country) } } }`,
    variables: { phrase: normalize(title!), country, movie: parseShowType(others) ?? null },
  }
}

function filterOperation(search: FilterQuery, after: string | undefined): Operation {
  const { catalogs, genres, keywords, movie, language, yearMin, yearMax, ratingMin, ratingMax } = search
  const filter: Record<string, object> = { country: { equalTo: search.country } }
  if (catalogs.length > 0) filter.catalogs = { overlaps: catalogs }
  if (genres.length > 0) filter.genres = search.allGenres ? { contains: genres } : { overlaps: genres }
  if (movie !== undefined) filter.movie = { equalTo: movie }
  if (language !== undefined) filter.language = { equalTo: language }
  if (yearMin ?? yearMax) filter.year = rangeFilter(yearMin, yearMax)
  if (ratingMin ?? ratingMax) filter.rating = rangeFilter(ratingMin, ratingMax)
  const keyword = keywords.length > 0
  const field = search.episodes ? 'withEpisodes' : 'show'
  const query = `query($filter: ListingFilter!, $order: [ListingsOrderBy!], $first: Int!, $after: Cursor${keyword ? ', $words: String!' : ''}) {
    page: ${keyword ? 'keywordListings(query: $words, ' : 'allListings('}filter: $filter, orderBy: $order, first: $first, after: $after) {
      nodes { show: ${field} } pageInfo { hasNextPage endCursor } } }`
  return {
    query,
    variables: {
      filter,
      // Results of a function have cursors only if the order includes the whole primary key.
      order: [
        `${search.order.toUpperCase()}_${search.descending ? 'DESC' : 'ASC'}`,
        keyword ? 'PRIMARY_KEY_ASC' : 'ID_ASC',
      ],
      first: search.limit - 1,
      after: after ?? null,
      ...(keyword && { words: keywords.map((word) => `'${word}':*`).join(' & ') }),
    },
  }
}

function changeOperation({ query }: ApiRequest, after: string | undefined): Operation {
  const search = parseChangesQuery(query, Math.floor(Date.now() / 1000))
  const { services, movie, descending } = search
  return {
    query: `query($filter: ChangeFilter!, $order: [ChangesOrderBy!], $first: Int!, $after: Cursor) {
      page: allChanges(filter: $filter, orderBy: $order, first: $first, after: $after) {
        nodes { body show } pageInfo { hasNextPage endCursor } } }`,
    variables: {
      filter: {
        country: { equalTo: search.country },
        type: { equalTo: search.changeType },
        item: { equalTo: search.itemType },
        time: { greaterThanOrEqualTo: String(search.min), lessThanOrEqualTo: String(search.max) },
        ...(services.length > 0 && { service: { in: services } }),
        ...(movie !== undefined && { movie: { equalTo: movie } }),
      },
      order: [descending ? 'TIME_DESC' : 'TIME_ASC', 'RANK_ASC'],
      first: search.limit - 1,
      after: after ?? null,
    },
  }
}

function rangeFilter(min: number | undefined, max: number | undefined): object {
  return {
    ...(min !== undefined && { greaterThanOrEqualTo: min }),
    ...(max !== undefined && { lessThanOrEqualTo: max }),
  }
}

interface GraphqlResponse {
  readonly errors?: unknown
  readonly data: Record<
    string,
    {
      readonly nodes: readonly { readonly body?: { showId: string }; readonly show: { id: string } }[]
      readonly pageInfo?: { readonly hasNextPage: boolean; readonly endCursor: string }
    }
  >
}

/** Parses a page from a GraphQL response, in which errors come with status 200. */
export function parseGraphqlPage(body: Buffer): Page {
  const { errors, data } = JSON.parse(body.toString()) as GraphqlResponse
  if (errors !== undefined) throw new Error(`PostGraphile: ${JSON.stringify(errors)}`)
  const { nodes, pageInfo } = Object.values(data)[0]!
  const ids = nodes.map((node) => node.body?.showId ?? node.show.id)
  return pageInfo?.hasNextPage ? { ids, nextCursor: pageInfo.endCursor } : { ids }
}
