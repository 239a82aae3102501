import { useId, useState } from 'preact/hooks'
import { formatCompact } from '../i18n/measures.ts'
import { ticksUpTo } from './scale.ts'
import { FillPatterns, fillProps, Legend, type Series } from './series.tsx'
import { useWidth } from './use-width.ts'

/** One column: what it stands for, and how much of each series it holds. */
export interface Column {
  readonly label: string
  /** What is said of it when it is pointed at. */
  readonly text: string
  readonly parts: readonly number[]
}

interface StackedColumnsProps {
  /** What is read out in place of the picture. */
  readonly label: string
  readonly series: readonly Series[]
  readonly columns: readonly Column[]
  /** What is said while nothing is pointed at. */
  readonly summary: string
}

const HEIGHT = 220
const LEFT = 40
const BOTTOM = 22
const TOP = 8

/** Amounts over time, each column made of parts. */
export function StackedColumns({ label, series, columns, summary }: StackedColumnsProps) {
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
                {formatCompact(tick)}
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

/** The parts that are there, each on top of those before it. */
export function stacked(parts: readonly number[]): { from: number; to: number; part: number }[] {
  let sum = 0
  return parts.flatMap((amount, part) => {
    const from = sum
    sum += amount
    return amount > 0 ? [{ from, to: sum, part }] : []
  })
}
