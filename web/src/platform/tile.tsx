import type { ComponentChildren } from 'preact'
import './tile.css'

interface TileProps {
  readonly name: string
  readonly value: ComponentChildren
  readonly note?: ComponentChildren
}

/** One figure, with its name above and a word on it below. */
export function Tile({ name, value, note }: TileProps) {
  return (
    <div class="card tile">
      <p class="tile-name">{name}</p>
      <p class="tile-value">{value}</p>
      {note !== undefined && <p class="tile-note">{note}</p>}
    </div>
  )
}
