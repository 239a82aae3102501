import { useFormats, useMessages } from '../../app/context.ts'
import { explorerMessages } from '../../messages/tables.ts'
import { type Direction, dayAsText, startOfDay, weeksFrom } from './calendar-days.ts'
import { useCalendarHref } from './calendar-filters.tsx'
import './calendar-grid.css'

interface CalendarGridProps {
  readonly direction: Direction
  readonly chosen: number | undefined
  /** Changes by day, for days whose changes are all loaded. */
  readonly counts: ReadonlyMap<number, number>
}

/** A calendar with links to its days. */
export function CalendarGrid({ direction, chosen, counts }: CalendarGridProps) {
  const format = useFormats()
  const t = useMessages(explorerMessages).calendar
  const calendarHref = useCalendarHref()
  const now = Math.floor(Date.now() / 1000)
  const today = startOfDay(now)
  const dayLabel = (day: number) => {
    const count = counts.get(day)
    return count === undefined ? format.weekday(day) : `${format.weekday(day)}, ${t.count(count)}`
  }
  const weeks = weeksFrom(now, direction)
  const isPartial = counts.size > 0 && weeks.flat().some((day) => day !== undefined && !counts.has(day))
  return (
    <nav class="days" aria-label={t.calendar}>
      <table>
        <thead>
          <tr>
            {format.weekdayLetters().map(({ letter, name }) => (
              <th key={name} scope="col" abbr={name}>
                {letter}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.find((day) => day !== undefined)}>
              {week.map((day, place) => (
                <td key={place}>
                  {day !== undefined && (
                    <a
                      href={calendarHref({ day: dayAsText(day) })}
                      class={day === today ? 'days-today' : undefined}
                      aria-current={day === chosen ? 'date' : undefined}
                    >
                      <span class="unseen">{dayLabel(day)}</span>
                      <span aria-hidden="true">{format.number(new Date(day * 1000).getUTCDate())}</span>
                      <span class="days-count" aria-hidden="true">
                        {counts.has(day) && format.number(counts.get(day) ?? 0)}
                      </span>
                    </a>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isPartial && <p class="days-note">{t.uncounted}</p>}
      <p>
        <a href={calendarHref({ day: '' })} aria-current={chosen === undefined ? 'true' : undefined}>
          {t.allDays}
        </a>
      </p>
    </nav>
  )
}
