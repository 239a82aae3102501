import type { PlaceHistory, Span } from 'marquee-client'
import { useFormats, useMessages, useViewer } from '../../app/context.ts'
import { Table } from '../../components/table.tsx'
import { historyQuery } from '../../data/queries.ts'
import { useQuery } from '../../data/use-query.ts'
import { explorerMessages } from '../../messages/tables.ts'
import { ServiceMark } from '../components/service-logo.tsx'
import './history-timeline.css'

const DAY = 86_400

/** The width of a timeline in units of its drawing; the page stretches it. */
const WIDTH = 1_000

/** When a show could be watched in the viewer's country: a bar for each span, and the same as text. Nothing without any. */
export function HistoryTimeline({ id }: { id: string }) {
  const t = useMessages(explorerMessages).show.history
  const format = useFormats()
  const result = useQuery(historyQuery(useViewer(), id))
  if (result.state !== 'ready' || result.value.places.length === 0) return null
  const { places } = result.value
  const range = timeRange(places)
  return (
    <section class="history" id="history">
      <h2>{t.title}</h2>
      <Table caption={t.title} head={[t.service, t.title]}>
        {places.map((place) => (
          <tr key={`${place.service.id} ${place.streamingOptionType} ${place.addon?.id ?? ''}`}>
            <th scope="row">
              <PlaceName place={place} />
            </th>
            <td>
              <Timeline spans={place.spans} range={range} />
              <ul class="history-spans soft">
                {place.spans.map((span) => (
                  <li key={span.from}>
                    <SpanText span={span} />
                  </li>
                ))}
              </ul>
            </td>
          </tr>
        ))}
      </Table>
      <p class="history-axis soft" aria-hidden="true">
        <span>{format.day(range.start)}</span>
        <span>{t.today}</span>
      </p>
    </section>
  )
}

function PlaceName({ place: { service, streamingOptionType: type, addon } }: { place: PlaceHistory }) {
  const t = useMessages(explorerMessages)
  return (
    <span class="history-place">
      <span aria-hidden="true">
        <ServiceMark service={service} />
      </span>
      <span>
        {service.name} <span class="soft">{addon === undefined ? t.types[type] : t.show.through(addon.name)}</span>
      </span>
    </span>
  )
}

/** A span in words: its days, and each price with the day on which it came. */
function SpanText({ span: { from, to, prices } }: { span: Span }) {
  const t = useMessages(explorerMessages).show.history
  const format = useFormats()
  const days = (start: number, end: number | undefined) =>
    end === undefined ? t.since(format.day(start)) : t.span(format.day(start), format.day(end))
  if (prices.length === 0) return <>{days(from, to)}</>
  return (
    <>
      {prices.map((one, i) => (
        <span key={`${one.from} ${one.quality} ${one.price.amount}`} class="history-price">
          {i > 0 && '; '}
          {format.price(one.price)} {one.quality?.toUpperCase()} {days(one.from, one.to)}
        </span>
      ))}
    </>
  )
}

interface TimeRange {
  readonly start: number
  readonly end: number
}

/** From the first span to today: whole days, so that the server and the browser draw the same. */
function timeRange(places: readonly PlaceHistory[]): TimeRange {
  const starts = places.flatMap(({ spans }) => spans.map(({ from }) => from))
  const end = (Math.floor(Date.now() / 1000 / DAY) + 1) * DAY
  // A show that came today has a bar, too.
  return { start: Math.min(...starts, end - DAY), end }
}

/** The bars of a place. The text beside it says the same, so it is hidden from screen readers. */
function Timeline({ spans, range: { start, end } }: { spans: readonly Span[]; range: TimeRange }) {
  const x = (instant: number) => Math.round(((Math.min(instant, end) - start) / (end - start)) * WIDTH)
  return (
    <svg class="history-bar" viewBox={`0 0 ${WIDTH} 12`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="history-ground" width={WIDTH} height="12" />
      {spans.map(({ from, to = end, prices }) => (
        <g key={from}>
          <rect class="history-span" x={x(from)} width={Math.max(x(to) - x(from), 3)} height="12" />
          {prices
            .filter((price) => price.from > from)
            .map((price) => (
              <rect
                key={`${price.from} ${price.price.amount}`}
                class="history-change"
                x={x(price.from)}
                width="3"
                height="12"
              />
            ))}
        </g>
      ))}
    </svg>
  )
}
