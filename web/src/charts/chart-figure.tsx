import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { platformMessages } from '../platform/messages.ts'
import { Segments } from '../ui/segments.tsx'
import { Table } from '../ui/table.tsx'
import './charts.css'

interface ChartFigureProps {
  readonly title: string
  readonly chart: ComponentChildren
  /** The same as a table: its head, and its rows with a name first. */
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A chart that can be read as a table instead. */
export function ChartFigure({ title, chart, head, rows }: ChartFigureProps) {
  const t = platformMessages.current
  const [view, setView] = useState<'chart' | 'table'>('chart')
  return (
    <figure class="card stack chart-figure">
      <figcaption>
        <h2>{title}</h2>
        <Segments
          label={t.viewOf(title)}
          options={[
            ['chart', t.chart],
            ['table', t.table],
          ]}
          value={view}
          onChange={setView}
        />
      </figcaption>
      {view === 'chart' ? (
        chart
      ) : (
        <Table caption={title} head={head}>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </Table>
      )}
    </figure>
  )
}
