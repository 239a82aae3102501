import { decadePlace, decadesAround, useWidth } from './scale.ts'

interface RangeRowsProps {
  readonly label: string
  /** Names of the three marks of a row, from low to high. */
  readonly marks: readonly [string, string, string]
  readonly rows: readonly { readonly name: string; readonly values: readonly [number, number, number] }[]
  readonly format: (value: number) => string
}

const ROW_HEIGHT = 48
const AXIS_HEIGHT = 22
const INSET = 8

/** Three values a row on a logarithmic axis, marked by shape: circle, diamond, triangle. */
export function RangeRows({ label, marks, rows, format }: RangeRowsProps) {
  const { ref, width } = useWidth<HTMLDivElement>()
  const decades = decadesAround(rows.flatMap(({ values }) => values))
  const x = (value: number) => INSET + decadePlace(value, decades) * (width - 2 * INSET)
  const height = rows.length * ROW_HEIGHT
  return (
    <div class="chart stack" ref={ref}>
      {width > 0 && (
        <svg width={width} height={height + AXIS_HEIGHT} role="img" aria-label={label}>
          {decades.map((decade, place) => (
            <g key={decade}>
              <line class="chart-grid" x1={x(decade)} x2={x(decade)} y1={0} y2={height} />
              <text x={x(decade)} y={height + 16} text-anchor={textAnchor(place, decades.length)}>
                {format(decade)}
              </text>
            </g>
          ))}
          {rows.map(({ name, values }, place) => (
            <g key={name} transform={`translate(0 ${place * ROW_HEIGHT})`}>
              <text class="chart-name" x={0} y={16}>
                {name}
              </text>
              <line class="mark-line" x1={x(values[0])} x2={x(values[2])} y1={32} y2={32} />
              {values.map((value, mark) => (
                <Mark key={mark} mark={mark} x={x(value)} y={32} />
              ))}
            </g>
          ))}
        </svg>
      )}
      <ul class="legend">
        {marks.map((name, mark) => (
          <li key={name}>
            <svg width="18" height="14" aria-hidden="true">
              <Mark mark={mark} x={9} y={7} />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Mark({ mark, x, y }: { mark: number; x: number; y: number }) {
  if (mark === 0) return <circle class="mark-filled" cx={x} cy={y} r={4.5} />
  const path = mark === 1 ? `M${x} ${y - 6}l6 6l-6 6l-6 -6z` : `M${x} ${y - 6}l6 11h-12z`
  return <path class="mark" d={path} />
}

function textAnchor(place: number, count: number): 'start' | 'middle' | 'end' {
  if (place === 0) return 'start'
  return place === count - 1 ? 'end' : 'middle'
}
