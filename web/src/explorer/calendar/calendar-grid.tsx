import { formatNumber, formatWeekday, weekdayLetters } from '../../i18n/formats.ts'
import { explorerMessages } from '../../messages/tables.ts'
import { type Direction, dayAsText, startOfDay, weeksFrom } from './calendar-days.ts'
import { calendarHref } from './calendar-filters.tsx'
import './calendar-grid.css'

interface CalendarGridProps {
  readonly direction: Direction
  readonly chosen: number | undefined
  /** How many changes there are on a day, where all of them are known. */
  readonly counts: ReadonlyMap<number, number>
}

/** The days that can be asked for, as a calendar; each leads to what happens on it. */
export function CalendarGrid({ direction, chosen, counts }: CalendarGridProps) {
  const t = explorerMessages.current.calendar
  const now = Math.floor(Date.now() / 1000)
  const today = startOfDay(now)
  const weeks = weeksFrom(now, direction)
  const isPartly = counts.size > 0 && weeks.flat().some((day) => day !== undefined && !counts.has(day))
  return (
    <nav class="days" aria-label={t.calendar}>
      <table>
        <thead>
          <tr>
            {weekdayLetters().map(({ letter, name }) => (
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
                      <span class="unseen">{labelOf(day, counts.get(day))}</span>
                      <span aria-hidden="true">{formatNumber(new Date(day * 1000).getUTCDate())}</span>
                      <span class="days-count" aria-hidden="true">
                        {counts.has(day) && formatNumber(counts.get(day) ?? 0)}
                      </span>
                    </a>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isPartly && <p class="days-note">{t.uncounted}</p>}
      <p>
        <a href={calendarHref({ day: '' })} aria-current={chosen === undefined ? 'true' : undefined}>
          {t.allDays}
        </a>
      </p>
    </nav>
  )
}

function labelOf(day: number, count: number | undefined): string {
  const name = formatWeekday(day)
  return count === undefined ? name : `${name}, ${explorerMessages.current.calendar.count(count)}`
}
