import type { ChangeWithShow } from 'marquee-client'
import { useFormats, useHref, useMessages } from '../../app/context.ts'
import { Badge } from '../../components/feedback.tsx'
import { SafeLink } from '../../components/safe-url.tsx'
import { explorerMessages } from '../../messages/tables.ts'
import { Poster } from '../components/poster.tsx'
import { ServiceMark } from '../components/service-logo.tsx'
import { showYears } from '../components/show-card.tsx'
import { showPath } from '../show-path.ts'
import { DAY, startOfDay } from './calendar-days.ts'

interface DayChangesProps {
  /** Undefined for changes without a date. */
  readonly day: number | undefined
  readonly changes: readonly ChangeWithShow[]
}

/** The changes of one day. */
export function DayChanges({ day, changes }: DayChangesProps) {
  const format = useFormats()
  const t = useMessages(explorerMessages).calendar
  return (
    <section class="day">
      <h2>
        {day === undefined ? t.undated : format.weekday(day)}
        {day !== undefined && <span class="soft">{format.daysAway(daysAway(day))}</span>}
      </h2>
      <ul>
        {[...byItem(changes)].map(([item, ofItem]) => (
          <li key={item} class="change">
            <ItemRow changes={ofItem} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Groups changes by show, season or episode: one title often changes on several services at once. */
function byItem(changes: readonly ChangeWithShow[]): Map<string, [ChangeWithShow, ...ChangeWithShow[]]> {
  const items = new Map<string, [ChangeWithShow, ...ChangeWithShow[]]>()
  for (const change of changes) {
    const item = [change.showId, change.season, change.episode].join('/')
    const ofItem = items.get(item)
    if (ofItem === undefined) items.set(item, [change])
    else ofItem.push(change)
  }
  return items
}

function ItemRow({ changes }: { changes: readonly [ChangeWithShow, ...ChangeWithShow[]] }) {
  const hrefTo = useHref()
  const t = useMessages(explorerMessages)
  const { show, season, episode } = changes[0]
  const part =
    season === undefined
      ? undefined
      : episode === undefined
        ? t.calendar.seasonNumber(season)
        : t.calendar.episodeNumber(season, episode)
  return (
    <>
      <Poster show={show} sizes="52px" isDecoration={true} />
      <div class="change-text">
        <h3 dir="auto">
          <a href={hrefTo(showPath(show))}>{show.title}</a>
        </h3>
        <p class="soft">{[part, showYears(show)].filter(Boolean).join(' · ')}</p>
      </div>
      <ul class="change-where">
        {changes.map(({ service, addon, streamingOptionType, link }) => (
          <li key={`${service.id} ${streamingOptionType} ${addon?.id}`}>
            <Badge>{addon?.name ?? t.types[streamingOptionType]}</Badge>
            <SafeLink href={link}>
              <ServiceMark service={service} />
            </SafeLink>
          </li>
        ))}
      </ul>
    </>
  )
}

function daysAway(day: number): number {
  return Math.round((day - startOfDay(Math.floor(Date.now() / 1000))) / DAY)
}
