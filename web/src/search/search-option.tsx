import { offersIn, type Show } from 'marquee-client'
import { useEffect, useRef } from 'preact/hooks'
import { viewer } from '../data/viewer.ts'
import { Poster } from '../explorer/parts/poster.tsx'
import { yearsOf } from '../explorer/parts/years-of.ts'
import { formatList } from '../i18n/formats.ts'
import { shellMessages } from '../shell/messages.ts'

interface SearchOptionProps {
  readonly id: string
  readonly show: Show
  readonly isActive: boolean
  readonly onPoint: () => void
  readonly onChoose: () => void
}

/** A show that was found, with where it can be watched. */
export function SearchOption({ id, show, isActive, onPoint, onChoose }: SearchOptionProps) {
  const t = shellMessages.current.search
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const services = [...new Set(offersIn(show, viewer.value.country).map(({ service }) => service.name))]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isActive}
      class="search-option"
      onMouseMove={onPoint}
      onClick={onChoose}
    >
      <Poster show={show} sizes="40px" isDecoration={true} />
      <span class="search-option-text">
        <span class="search-option-title" dir="auto">
          {show.title}
        </span>
        <span class="soft">
          {[t.types[show.showType], yearsOf(show)].filter(Boolean).join(' · ')}
          <br />
          {services.length > 0 ? formatList(services.slice(0, 3)) : t.nowhere}
        </span>
      </span>
    </div>
  )
}
