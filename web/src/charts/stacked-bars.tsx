import { useId, useState } from 'preact/hooks'
import { useFormats } from '../app/context.ts'
import { ticksUpTo, useWidth } from './scale.ts'

/** A column with the value of each series. */
interface Column {
  readonly label: string
  /** Shown on hover. */
  readonly text: string
  readonly parts: readonly number[]
}

interface StackedColumnsProps {
  /** For screen readers. */
  readonly label: string
  readonly series: readonly Series[]
  readonly columns: readonly Column[]
  /** Shown without hover. */
  readonly summary: string
}

const HEIGHT = 220
const LEFT = 40
const BOTTOM = 22
const TOP = 8

/** A stacked column chart over time. */
export function StackedColumns({ label, series, columns, summary }: StackedColumnsProps) {
  const format = useFormats()
  const { ref, width } = useWidth<HTMLDivElement>()
  const id = useId()
  const [active, setActive] = useState<number>()
  const totals = columns.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0))
  const ticks = ticksUpTo(Math.max(0, ...totals))
  const top = ticks.at(-1) as number
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top)
  const slot = (width - LEFT) / Math.max(1, columns.length)
  const longest = Math.max(0, ...columns.map(({ label: text }) => text.length))
  const every = Math.max(1, Math.ceil((longest * 6.5 + 16) / slot))
  return (
    <div class="chart stack" ref={ref}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} role="img" aria-label={label} onPointerLeave={() => setActive(undefined)}>
          <FillPatterns id={id} />
          {ticks.map((tick) => (
            <g key={tick}>
              <line class="chart-grid" x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
              <text x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
                {format.compact(tick)}
              </text>
            </g>
          ))}
          {columns.map((column, place) => (
            <g key={column.label} onPointerEnter={() => setActive(place)}>
              <rect
                class={`chart-hot ${active === place ? 'is-active' : ''}`}
                x={LEFT + place * slot}
                y={TOP}
                width={slot}
                height={HEIGHT - TOP - BOTTOM}
              />
              {stacked(column.parts).map(({ from, to, part }) => (
                <rect
                  key={part}
                  {...fillProps((series[part] as Series).fill, id)}
                  x={LEFT + place * slot + slot * 0.14}
                  y={y(to)}
                  width={slot * 0.72}
                  height={Math.max(1, y(from) - y(to))}
                />
              ))}
              {place % every === 0 && (
                <text x={LEFT + (place + 0.5) * slot} y={HEIGHT - 4} text-anchor="middle">
                  {column.label}
                </text>
              )}
            </g>
          ))}
        </svg>
      )}
      <p class="chart-readout" aria-hidden="true">
        {active === undefined ? summary : columns[active]?.text}
      </p>
      <Legend series={series} id={id} />
    </div>
  )
}

/** Start and end of each non-zero part of a stack. */
export function stacked(parts: readonly number[]): { from: number; to: number; part: number }[] {
  let sum = 0
  return parts.flatMap((amount, part) => {
    const from = sum
    sum += amount
    return amount > 0 ? [{ from, to: sum, part }] : []
  })
}

interface StackedRowsProps {
  readonly label: string
  readonly series: readonly Series[]
  readonly rows: readonly { readonly name: string; readonly parts: readonly number[] }[]
}

const ROW_HEIGHT = 48
const BAR_HEIGHT = 16

/** A stacked bar chart by name. Names are above their bars, so that long ones fit on a phone. */
export function StackedRows({ label, series, rows }: StackedRowsProps) {
  const format = useFormats()
  const { ref, width } = useWidth<HTMLDivElement>()
  const id = useId()
  const totals = rows.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0))
  const max = Math.max(1, ...totals)
  return (
    <div class="chart stack" ref={ref}>
      {width > 0 && (
        <svg width={width} height={rows.length * ROW_HEIGHT} role="img" aria-label={label}>
          <FillPatterns id={id} />
          {rows.map(({ name, parts }, place) => (
            <g key={name} transform={`translate(0 ${place * ROW_HEIGHT})`}>
              <text class="chart-name" x={0} y={16}>
                {name}
              </text>
              <text x={width} y={16} text-anchor="end">
                {format.number(totals[place] as number)}
              </text>
              <line class="chart-grid" x1={0} x2={width} y1={24 + BAR_HEIGHT / 2} y2={24 + BAR_HEIGHT / 2} />
              {stacked(parts).map(({ from, to, part }) => (
                <rect
                  key={part}
                  {...fillProps((series[part] as Series).fill, id)}
                  x={(from / max) * width + 1}
                  y={24}
                  width={Math.max(2, ((to - from) / max) * width - 2)}
                  height={BAR_HEIGHT}
                />
              ))}
            </g>
          ))}
        </svg>
      )}
      <Legend series={series} id={id} />
    </div>
  )
}

/** Parts of a bar differ in pattern, not only in colour. */
type Fill = 'solid' | 'outline' | 'hatch' | 'cross'

/** A series of the chart. */
export interface Series {
  readonly name: string
  readonly fill: Fill
}

/** SVG patterns of one chart; `id` makes them unique on the page. */
function FillPatterns({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={`${id}-hatch`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="fill-hatch-ground" width="6" height="6" />
        <rect class="fill-hatch-line" width="2.5" height="6" />
      </pattern>
      <pattern id={`${id}-cross`} width="6" height="6" patternUnits="userSpaceOnUse">
        <rect class="fill-cross-ground" width="6" height="6" />
        <path class="fill-cross-line" d="M0 0L6 6M6 0L0 6" />
      </pattern>
    </defs>
  )
}

/** Attributes of an SVG shape with a fill. */
function fillProps(fill: Fill, id: string): { readonly class: string; readonly fill?: string } {
  const isPattern = fill === 'hatch' || fill === 'cross'
  return { class: `fill-${fill}`, ...(isPattern && { fill: `url(#${id}-${fill})` }) }
}

/** The legend of a chart. */
function Legend({ series, id }: { series: readonly Series[]; id: string }) {
  return (
    <ul class="legend">
      {series.map(({ name, fill }) => (
        <li key={name}>
          <svg width="18" height="14" aria-hidden="true">
            <rect {...fillProps(fill, id)} x="1" y="1" width="16" height="12" rx="2" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}
