import { useFirstWeekday, useFormats, useMessages } from '../../app/context.ts'
import { explorerMessages } from '../../messages/tables.ts'
import { type Direction, dayAsText, monthsFrom, startOfDay } from './calendar-days.ts'
import { useCalendarHref } from './calendar-filters.tsx'
import './calendar-grid.css'

interface CalendarGridProps {
  readonly direction: Direction
  readonly chosen: number | undefined
  /** The time by the viewer's clock. */
  readonly now: number
  /** Changes by day, for days whose changes are all loaded. */
  readonly counts: ReadonlyMap<number, number>
}

/** A calendar with links to its days. */
export function CalendarGrid({ direction, chosen, counts, now }: CalendarGridProps) {
  const format = useFormats()
  const t = useMessages(explorerMessages).calendar
  const calendarHref = useCalendarHref()
  const firstDay = useFirstWeekday()
  const today = startOfDay(now)
  const dayLabel = (day: number) => {
    const count = counts.get(day)
    return count === undefined ? format.weekday(day) : `${format.weekday(day)}, ${t.count(count)}`
  }
  const countClass = (day: number) => (counts.get(day) === 0 ? 'days-count days-none' : 'days-count')
  const months = monthsFrom(now, direction, firstDay)
  const days = months.flatMap(({ weeks }) => weeks.flat())
  const isPartial = counts.size > 0 && days.some((day) => day !== undefined && !counts.has(day))
  return (
    <nav class="days" aria-label={t.calendar}>
      <table>
        <thead>
          <tr>
            {format.weekdayLetters(firstDay).map(({ letter, name }) => (
              <th key={name} scope="col" abbr={name}>
                {letter}
              </th>
            ))}
          </tr>
        </thead>
        {months.map(({ first, weeks }) => (
          <tbody key={first}>
            <tr>
              <th scope="rowgroup" colSpan={7} class="days-month">
                {format.month(first)}
              </th>
            </tr>
            {weeks.map((week, row) => (
              <tr key={row}>
                {week.map((day, place) => (
                  <td key={place}>
                    {day !== undefined && (
                      <a
                        href={calendarHref({ day: dayAsText(day), period: '' })}
                        class={day === today ? 'days-today' : undefined}
                        aria-current={day === chosen ? 'date' : undefined}
                      >
                        <span class="unseen">{dayLabel(day)}</span>
                        <span aria-hidden="true">{format.number(new Date(day * 1000).getUTCDate())}</span>
                        <span class={countClass(day)} aria-hidden="true">
                          {counts.has(day) && format.number(counts.get(day) ?? 0)}
                        </span>
                      </a>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {isPartial && <p class="days-note">{t.uncounted}</p>}
    </nav>
  )
}
