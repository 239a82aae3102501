import type { ShowType } from 'marquee-client'
import { useMessages, useViewer } from '../../app/context.ts'
import { formatQuery, textLanguage, type Viewer } from '../../app/viewer.ts'
import type { FeedLink } from '../../layout/page-head.ts'
import { explorerMessages } from '../../messages/tables.ts'

/** What the feeds and calendars of a page are about, beside the viewer's country. */
export interface FeedChoice {
  readonly catalogs?: readonly string[]
  readonly showType?: ShowType | undefined
  readonly show?: string
}

/** The calendars that a page can link to. */
type CalendarFeed = 'new.ics' | 'leaving.ics'

/** The feed of a page and its calendars, for its head and for `FeedLinks`. */
export function useFeeds(choice: FeedChoice, calendars: readonly CalendarFeed[]): readonly FeedLink[] {
  const viewer = useViewer()
  const t = useMessages(explorerMessages).feeds
  return [
    { type: 'application/atom+xml', title: t.feed, href: feedHref(viewer, 'changes.atom', choice) },
    ...calendars.map((name) => ({
      type: 'text/calendar',
      title: name === 'new.ics' ? t.newCalendar : t.leavingCalendar,
      href: feedHref(viewer, name, choice),
    })),
  ]
}

function feedHref(viewer: Viewer, name: 'changes.atom' | CalendarFeed, choice: FeedChoice): string {
  const { catalogs = [], showType, show } = choice
  const { country } = viewer
  return `/feeds/${name}?${formatQuery({ country, catalogs, show_type: showType, show, output_language: textLanguage(viewer) })}`
}

/** Links to the feed of a page and its calendars. */
export function FeedLinks({ feeds }: { feeds: readonly FeedLink[] }) {
  return (
    <>
      {feeds.map(({ href, title, type }) => (
        <a key={href} href={href} type={type}>
          {title}
        </a>
      ))}
    </>
  )
}
