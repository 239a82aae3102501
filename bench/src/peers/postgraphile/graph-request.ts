import type { Ask } from '../../ask.ts'
import type { Page } from '../../contestant.ts'
import type { HttpRequest } from '../../support/http.ts'
import type { FilterSearch } from '../peer-store.ts'
import { changeSearch, filterSearch, movieOf } from '../searches.ts'
import { plain } from '../text.ts'

/** An ask as a GraphQL request. */
export function graphRequest(ask: Ask, cursor: string | undefined): HttpRequest {
  const body = JSON.stringify(operation(ask, cursor))
  return { method: 'POST', path: '/graphql', headers: { 'Content-Type': 'application/json' }, body }
}

interface Operation {
  readonly query: string
  readonly variables: Record<string, unknown>
}

function operation(ask: Ask, cursor: string | undefined): Operation {
  switch (ask.kind) {
    case 'show':
      return showOperation(ask)
    case 'filters':
      return filterOperation(filterSearch(ask.query), cursor)
    case 'title':
      return titleOperation(ask)
    case 'changes':
      return changeOperation(ask, cursor)
    default:
      throw new Error(`PostGraphile is not asked for ${ask.kind}`)
  }
}

function showOperation({ path, query: { country } }: Ask): Operation {
  const key = path.slice('/shows/'.length)
  const column = key.startsWith('tt') ? 'imdb' : key.includes('/') ? 'tmdb' : 'id'
  const type = column === 'id' ? 'BigInt!' : 'String!'
  const everywhere = country === undefined
  const query = `query($key: ${type}${everywhere ? '' : ', $country: String!'}) {
    allShows(condition: { ${column}: $key }, first: 1) {
      nodes { show: ${everywhere ? 'everywhere' : 'withEpisodes(ofCountry: $country)'} } } }`
  return { query, variables: everywhere ? { key } : { key, country } }
}

function titleOperation({ query: { title, country, ...others } }: Ask): Operation {
  return {
    query: `query($phrase: String!, $country: String!, $movie: Boolean) {
      titleShows(phrase: $phrase, ofCountry: $country, onlyMovie: $movie) { nodes { show: inCountry(ofCountry: $country) } } }`,
    variables: { phrase: plain(title!), country, movie: movieOf(others) ?? null },
  }
}

function filterOperation(search: FilterSearch, after: string | undefined): Operation {
  const { catalogs, genres, keywords, movie, language, yearMin, yearMax, ratingMin, ratingMax } = search
  const filter: Record<string, object> = { country: { equalTo: search.country } }
  if (catalogs.length > 0) filter.catalogs = { overlaps: catalogs }
  if (genres.length > 0) filter.genres = search.allGenres ? { contains: genres } : { overlaps: genres }
  if (movie !== undefined) filter.movie = { equalTo: movie }
  if (language !== undefined) filter.language = { equalTo: language }
  if (yearMin ?? yearMax) filter.year = between(yearMin, yearMax)
  if (ratingMin ?? ratingMax) filter.rating = between(ratingMin, ratingMax)
  const keyword = keywords.length > 0
  const field = search.episodes ? 'withEpisodes' : 'show'
  const query = `query($filter: PlaceFilter!, $order: [PlacesOrderBy!], $first: Int!, $after: Cursor${keyword ? ', $words: String!' : ''}) {
    page: ${keyword ? 'keywordPlaces(query: $words, ' : 'allPlaces('}filter: $filter, orderBy: $order, first: $first, after: $after) {
      nodes { show: ${field} } pageInfo { hasNextPage endCursor } } }`
  return {
    query,
    variables: {
      filter,
      // What a function gives has cursors only if the whole primary key is in its order.
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

function changeOperation({ query }: Ask, after: string | undefined): Operation {
  const search = changeSearch(query, Math.floor(Date.now() / 1000))
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

function between(min: number | undefined, max: number | undefined): object {
  return {
    ...(min !== undefined && { greaterThanOrEqualTo: min }),
    ...(max !== undefined && { lessThanOrEqualTo: max }),
  }
}

interface GraphAnswer {
  readonly errors?: unknown
  readonly data: Record<
    string,
    {
      readonly nodes: readonly { readonly body?: { showId: string }; readonly show: { id: string } }[]
      readonly pageInfo?: { readonly hasNextPage: boolean; readonly endCursor: string }
    }
  >
}

/** Reads a page out of a GraphQL answer, in which errors come with a 200. */
export function graphPage(body: Buffer): Page {
  const { errors, data } = JSON.parse(body.toString()) as GraphAnswer
  if (errors !== undefined) throw new Error(`PostGraphile: ${JSON.stringify(errors)}`)
  const { nodes, pageInfo } = Object.values(data)[0]!
  const ids = nodes.map((node) => node.body?.showId ?? node.show.id)
  return pageInfo?.hasNextPage ? { ids, nextCursor: pageInfo.endCursor } : { ids }
}
