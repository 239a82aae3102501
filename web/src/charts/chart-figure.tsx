import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useMessages } from '../app/context.ts'
import { Segments } from '../components/choice.tsx'
import { Table } from '../components/table.tsx'
import { platformMessages } from '../messages/tables.ts'
import './chart-figure.css'

interface ChartFigureProps {
  readonly title: string
  readonly chart: ComponentChildren
  /** The same data as a table: head, and rows with a name first. */
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A chart that can be switched to a table. */
export function ChartFigure({ title, chart, head, rows }: ChartFigureProps) {
  const t = useMessages(platformMessages)
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

interface TileProps {
  readonly name: string
  readonly value: ComponentChildren
  readonly note?: ComponentChildren
}

/** A single figure with its name and a note. */
export function Tile({ name, value, note }: TileProps) {
  return (
    <div class="card tile">
      <p class="tile-name">{name}</p>
      <p class="tile-value">{value}</p>
      {note !== undefined && <p class="tile-note">{note}</p>}
    </div>
  )
}
