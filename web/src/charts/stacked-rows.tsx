import { useId } from 'preact/hooks'
import { formatNumber } from '../i18n/formats.ts'
import { FillPatterns, fillProps, Legend, type Series } from './series.tsx'
import { stacked } from './stacked-columns.tsx'
import { useWidth } from './use-width.ts'

interface StackedRowsProps {
  readonly label: string
  readonly series: readonly Series[]
  readonly rows: readonly { readonly name: string; readonly parts: readonly number[] }[]
}

const ROW = 48
const BAR = 16

/** Amounts by name, the bars made of parts. Names stand above their bars, so that long ones fit on a phone. */
export function StackedRows({ label, series, rows }: StackedRowsProps) {
  const { ref, width } = useWidth<HTMLDivElement>()
  const id = useId()
  const totals = rows.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0))
  const greatest = Math.max(1, ...totals)
  return (
    <div class="chart stack" ref={ref}>
      {width > 0 && (
        <svg width={width} height={rows.length * ROW} role="img" aria-label={label}>
          <FillPatterns id={id} />
          {rows.map(({ name, parts }, place) => (
            <g key={name} transform={`translate(0 ${place * ROW})`}>
              <text class="chart-name" x={0} y={16}>
                {name}
              </text>
              <text x={width} y={16} text-anchor="end">
                {formatNumber(totals[place] as number)}
              </text>
              <line class="chart-grid" x1={0} x2={width} y1={24 + BAR / 2} y2={24 + BAR / 2} />
              {stacked(parts).map(({ from, to, part }) => (
                <rect
                  key={part}
                  {...fillProps((series[part] as Series).fill, id)}
                  x={(from / greatest) * width + 1}
                  y={24}
                  width={Math.max(2, ((to - from) / greatest) * width - 2)}
                  height={BAR}
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
