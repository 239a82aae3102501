import './gauge.css'

interface GaugeProps {
  readonly label: string
  readonly used: number
  /** The maximum; undefined means unlimited. */
  readonly granted: number | undefined
  /** Texts in the middle. */
  readonly figure: string
  readonly caption: string
}

const RADIUS = 80
const LENGTH = Math.PI * RADIUS

/** A semicircular gauge. Its colour changes when little is left. */
export function Gauge({ label, used, granted, figure, caption }: GaugeProps) {
  const share = granted === undefined ? 0 : Math.min(1, used / Math.max(1, granted))
  const state = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'good'
  const arc = `M20 100a${RADIUS} ${RADIUS} 0 0 1 160 0`
  return (
    <div class="gauge">
      {granted !== undefined && (
        <meter class="unseen" aria-label={label} min={0} max={granted} value={Math.min(used, granted)} />
      )}
      <svg viewBox="0 0 200 112" aria-hidden="true">
        <path class="gauge-track" d={arc} />
        {share > 0 && <path class={`gauge-fill gauge-${state}`} d={arc} stroke-dasharray={`${share * LENGTH} 999`} />}
      </svg>
      <p class="gauge-figure">{figure}</p>
      <p class="gauge-caption">{caption}</p>
    </div>
  )
}
