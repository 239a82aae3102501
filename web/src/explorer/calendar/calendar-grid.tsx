import { useFirstWeekday, useFormats, useMessages } from '../../app/context.ts'
import { explorerMessages } from '../../messages/tables.ts'
import { type Direction, dayAsText, startOfDay, weeksFrom } from './calendar-days.ts'
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
  const weeks = weeksFrom(now, direction, firstDay)
  const isPartial = counts.size > 0 && weeks.flat().some((day) => day !== undefined && !counts.has(day))
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
        <tbody>
          {weeks.flatMap((week, row) => [
            <MonthRow key={`month ${row}`} week={week} isFirst={row === 0} />,
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
                      <span class="days-count" aria-hidden="true">
                        {counts.has(day) && format.number(counts.get(day) ?? 0)}
                      </span>
                    </a>
                  )}
                </td>
              ))}
            </tr>,
          ])}
        </tbody>
      </table>
      {isPartial && <p class="days-note">{t.uncounted}</p>}
    </nav>
  )
}

/** The name of a month above the week in which it begins. */
function MonthRow({ week, isFirst }: { week: readonly (number | undefined)[]; isFirst: boolean }) {
  const format = useFormats()
  const begins = week.find((day) => day !== undefined && new Date(day * 1000).getUTCDate() === 1)
  const day = begins ?? (isFirst ? week.find((one) => one !== undefined) : undefined)
  if (day === undefined) return null
  return (
    <tr>
      <th scope="rowgroup" colSpan={7} class="days-month">
        {format.month(day)}
      </th>
    </tr>
  )
}
