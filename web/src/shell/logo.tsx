/** The sign of the site: an M under four bulbs. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#b4410e" />
      <path
        d="M8 23V11.5L16 18l8-6.5V23"
        fill="none"
        stroke="#fff"
        stroke-width="3.2"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
      <g fill="#ffd9a0">
        <circle cx="8" cy="6.2" r="1.3" />
        <circle cx="13.3" cy="6.2" r="1.3" />
        <circle cx="18.7" cy="6.2" r="1.3" />
        <circle cx="24" cy="6.2" r="1.3" />
      </g>
    </svg>
  )
}
