/** How the parts of a bar are told apart: by pattern first, and by colour as well. */
export const FILLS = ['solid', 'outline', 'hatch', 'cross'] as const
export type Fill = (typeof FILLS)[number]

/** A kind of thing that is counted. */
export interface Series {
  readonly name: string
  readonly fill: Fill
}

/** The patterns of one chart; `id` keeps them apart from those of other charts on the page. */
export function FillPatterns({ id }: { id: string }) {
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

/** What an SVG shape of this fill carries. */
export function fillProps(fill: Fill, id: string): { readonly class: string; readonly fill?: string } {
  const isPattern = fill === 'hatch' || fill === 'cross'
  return { class: `fill-${fill}`, ...(isPattern && { fill: `url(#${id}-${fill})` }) }
}

/** Names what the patterns stand for. */
export function Legend({ series, id }: { series: readonly Series[]; id: string }) {
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
