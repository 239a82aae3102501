/*
 * What the types allow and what they refuse. Nothing of this is run: the type checker is the test, and complains about
 * an expected error that does not come.
 */
import { type ChangeWithShow, Marquee, type Page, ServiceError, type Show } from '../src/index.ts'

const marquee = new Marquee({ apiKey: process.env.MARQUEE_KEY })

export async function allowed(): Promise<void> {
  const show: Show = await marquee.shows.get('tt0068646')
  if (show.showType === 'series') console.log(show.seasons?.[0]?.episodes?.[0]?.title, show.firstAirYear)
  else console.log(show.runtime, show.releaseYear)
  const page: Page<Show> = await marquee.shows.filter({ country: 'us', catalogs: ['netflix'] as const }).page()
  const from = new Date()
  const changes = marquee.changes.list({ country: 'us', changeType: 'new', itemType: 'show', from, to: 1_790_000_000 })
  const all: ChangeWithShow[] = await changes.all()
  console.log(page.nextCursor?.length, all[0]?.show.title)
  const some = await marquee.shows.search({ title: 'a', country: 'us', fields: ['title', 'streamingOptions.link'] })
  console.log(some[0]?.title?.length, some[0]?.streamingOptions?.us?.[0]?.link?.length)
}

export async function refusedOfFields(): Promise<void> {
  const show = await marquee.shows.get('1', { fields: ['title'] })
  // @ts-expect-error: with fields, members can be missing.
  show.overview.length
}

export function refused(show: Show, error: unknown): void {
  // @ts-expect-error: a country without offers has no entry.
  show.streamingOptions.us.length
  // @ts-expect-error: only series have seasons.
  show.seasons
  // @ts-expect-error: the parameter is called genres.
  marquee.shows.filter({ country: 'us', genre: ['crime'] })
  // @ts-expect-error: there is no such order.
  marquee.shows.filter({ country: 'us', orderBy: 'title' })
  // @ts-expect-error: which changes, of what?
  marquee.changes.list({ country: 'us' })
  // @ts-expect-error: where?
  marquee.shows.search({ title: 'The Godfather' })
  if (error instanceof ServiceError) {
    const code: string = error.code
    // @ts-expect-error: it cannot be set.
    error.code = code
  }
}
