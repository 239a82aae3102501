import type { ChangeWithShow, ListChangesParameters } from 'marquee-client'
import type { ComponentChildren } from 'preact'
import { useFormats, useHref, useMessages } from '../../app/context.ts'
import { Button } from '../../components/button.tsx'
import { Badge } from '../../components/feedback.tsx'
import { SafeLink } from '../../components/safe-url.tsx'
import { changesQuery } from '../../data/queries.ts'
import { usePages } from '../../data/use-pages.ts'
import { explorerMessages } from '../../messages/tables.ts'
import { Poster } from '../components/poster.tsx'
import { ServiceMark } from '../components/service-logo.tsx'
import { showYears } from '../components/show-card.tsx'
import { showPath } from '../show-path.ts'
import { DAY } from './calendar-days.ts'
import { groupByLink, groupByShow, type ShowChanges } from './show-changes.ts'

interface DayChangesProps {
  readonly day: number
  readonly today: number
  readonly changes: readonly ChangeWithShow[]
}

/** The changes of one day. */
export function DayChanges({ day, today, changes }: DayChangesProps) {
  const format = useFormats()
  return (
    <section class="day">
      <h2>
        {format.weekday(day)}
        <span class="soft">{format.daysAway(Math.round((day - today) / DAY))}</span>
      </h2>
      <ChangeList changes={changes} />
    </section>
  )
}

interface UndatedChangesProps {
  readonly parameters: ListChangesParameters
  /** Shown if there are none. */
  readonly none: ComponentChildren
}

/** Announced changes without a date. The API lists them before those with one. */
export function UndatedChanges({ parameters, none }: UndatedChangesProps) {
  const t = useMessages(explorerMessages)
  const list = usePages(changesQuery({ ...parameters, includeUnknownDates: true }, null))
  const undated = list.items.filter(({ timestamp }) => timestamp === undefined)
  if (undated.length === 0) return list.state === 'idle' ? none : null
  const hasMore = list.nextCursor !== undefined && undated.length === list.items.length
  return (
    <section class="day">
      <h2>{t.calendar.undated}</h2>
      <ChangeList changes={undated} />
      {hasMore && list.state === 'idle' && <Button onClick={list.loadMore}>{t.list.more}</Button>}
    </section>
  )
}

function ChangeList({ changes }: { changes: readonly ChangeWithShow[] }) {
  return (
    <ul>
      {groupByShow(changes).map((ofShow) => (
        <li key={ofShow.show.id} class="change">
          <ShowRow {...ofShow} />
        </li>
      ))}
    </ul>
  )
}

/** A show with its seasons or episodes that change, and where. */
function ShowRow({ show, seasons, places }: ShowChanges) {
  const hrefTo = useHref()
  const format = useFormats()
  const t = useMessages(explorerMessages)
  const parts = seasons.map(({ season, episodes }) => {
    const [first] = episodes
    if (first === undefined) return t.calendar.seasonNumber(season)
    if (episodes.length === 1 && first.from === first.to) return t.calendar.episodeNumber(season, first.from)
    const ranges = episodes.map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`))
    return t.calendar.episodes(season, format.list(ranges))
  })
  return (
    <>
      <Poster show={show} sizes="52px" isDecoration={true} />
      <div class="change-text">
        <h3 dir="auto">
          <a href={hrefTo(showPath(show))}>{show.title}</a>
        </h3>
        <p class="soft">{[...parts, showYears(show)].filter(Boolean).join(' · ')}</p>
      </div>
      <ul class="change-where">
        {groupByLink(places).map((ofLink) => (
          <li key={`${ofLink[0].service.id} ${ofLink[0].link}`}>
            <span class="change-types">
              {ofLink.map(({ addon, streamingOptionType }) => (
                <Badge key={`${streamingOptionType} ${addon?.id}`}>{addon?.name ?? t.types[streamingOptionType]}</Badge>
              ))}
            </span>
            <SafeLink href={ofLink[0].link}>
              <ServiceMark service={ofLink[0].service} />
            </SafeLink>
          </li>
        ))}
      </ul>
    </>
  )
}
