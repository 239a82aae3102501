import { formatList } from '../../i18n/formats.ts'
import { explorerMessages } from '../messages.ts'

/** How many languages are told before the rest is folded away. */
const FIRST = 4

/** Languages of audio or subtitles: the first few, and all of them on demand. */
export function Tracks({ names }: { names: readonly string[] }) {
  const t = explorerMessages.current.show
  if (names.length === 0) return <span class="soft">{t.none}</span>
  if (names.length <= FIRST + 1) return <>{formatList(names)}</>
  return (
    <details class="tracks-more">
      <summary>
        <span class="tracks-first">
          {names.slice(0, FIRST).join(', ')} {t.more(names.length - FIRST)}
        </span>
      </summary>
      {formatList(names)}
    </details>
  )
}
