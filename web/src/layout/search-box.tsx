import { offersIn, type Show } from 'marquee-client'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useFormats, useHref, useLocation, useMessages, useNavigate, useViewer } from '../app/context.ts'
import { HiddenValues } from '../components/query-form.tsx'
import { titleQuery } from '../data/queries.ts'
import { useDebounced, useQuery } from '../data/use-query.ts'
import { Poster } from '../explorer/components/poster.tsx'
import { showYears } from '../explorer/components/show-card.tsx'
import { showPath } from '../explorer/show-path.ts'
import { layoutMessages } from '../messages/tables.ts'
import { Failure } from './failure.tsx'
import './search-box.css'

/** Shows in the list while typing; the row below leads to all results. */
const MAX_OPTIONS = 6

/**
 * Title search as you type. It is a combobox: arrow keys move through the results, Enter opens one, Escape closes the list
 * and then clears the field. The key `/` focuses it from anywhere on the page.
 */
export function SearchBox() {
  const hrefTo = useHref()
  const { country, language } = useViewer()
  const navigate = useNavigate()
  const t = useMessages(layoutMessages).search
  const location = useLocation()
  const searched = location.path === '/search' ? (location.query.get('title') ?? '') : undefined
  const [text, setText] = useState(() => typedBeforeHydration() ?? searched ?? '')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const { result, shows, isForText } = useTitleSearch(text)
  const offered = shows.slice(0, MAX_OPTIONS)
  // The last row leads to all results.
  const rows = offered.length === 0 ? 0 : offered.length + 1
  const isShown = isOpen && text.trim() !== ''

  useSlashKey(() => field.current?.focus())
  const shownLocation = useRef(location)
  useEffect(() => {
    // On the first page the user may have typed already.
    if (shownLocation.current === location) return
    shownLocation.current = location
    setOpen(false)
    setActive(-1)
    // The box says what the page shows, also after back and forward.
    if (searched !== undefined) setText(searched)
  }, [location])
  // Opens the list for a user who typed before hydration.
  useEffect(() => setOpen(document.activeElement === field.current), [])

  const allHref = hrefTo('/search', { title: text.trim() })
  const submit = () => {
    const chosen = offered[active]
    if (chosen !== undefined) navigate(hrefTo(showPath(chosen)))
    else if (text.trim() !== '') navigate(allHref)
    setOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setOpen(true)
      // The position before the first row is the field itself.
      const places = rows + 1
      setActive(((active + 1 + step + places) % places) - 1)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      if (!isShown) setText('')
      setOpen(false)
      setActive(-1)
    }
  }

  return (
    <search class="search">
      <form
        action="/search"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <svg class="search-icon" viewBox="0 0 20 20" aria-hidden="true">
          <path d="m14.2 14.2 3.6 3.6M16 9A7 7 0 1 1 2 9a7 7 0 0 1 14 0Z" />
        </svg>
        <input
          ref={field}
          class="control"
          type="search"
          name="title"
          autocomplete="off"
          // A search page without a title has nothing else to begin with.
          autofocus={searched?.trim() === ''}
          spellcheck={false}
          enterkeyhint="search"
          placeholder={t.placeholder}
          aria-label={t.label}
          // biome-ignore lint/a11y/noRedundantRoles: implied only by the list attribute, which is absent
          role="combobox"
          list={undefined}
          aria-autocomplete="list"
          aria-expanded={isShown && offered.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={isShown && active >= 0 && active < rows ? `${id}-${active}` : undefined}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setActive(-1)
            setOpen(true)
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
        <HiddenValues values={{ country, lang: language }} />
      </form>
      <p class="unseen" role="status">
        {isShown && isForText && t.found(shows.length)}
      </p>
      <div class="search-panel" hidden={!isShown}>
        {/*
         * Pressing the mouse on an option must not take the focus away before the click is there, and the keyboard must
         * not stop at the list, which closes when the field is left.
         */}
        <div
          id={`${id}-list`}
          role="listbox"
          tabIndex={-1}
          aria-label={t.results}
          onMouseDown={(event) => event.preventDefault()}
        >
          {offered.map((show, at) => (
            <SearchOption
              key={show.id}
              id={`${id}-${at}`}
              show={show}
              isActive={at === active}
              onPoint={() => setActive(at)}
            />
          ))}
          {rows > 0 && (
            <a
              id={`${id}-${offered.length}`}
              role="option"
              tabIndex={-1}
              aria-selected={active === offered.length}
              class="search-option search-all"
              href={allHref}
              onMouseMove={() => setActive(offered.length)}
            >
              {t.all(text.trim())}
            </a>
          )}
        </div>
        {isForText && shows.length === 0 && <p class="search-none">{t.none(text.trim())}</p>}
        {result.state === 'failed' && <Failure error={result.error} retry={result.retry} />}
      </div>
    </search>
  )
}

/** The text that was typed into the server-rendered field before hydration. */
function typedBeforeHydration(): string | undefined {
  if (typeof document === 'undefined') return undefined
  return document.querySelector<HTMLInputElement>('.search input')?.value
}

/** Calls back on the key `/` outside of form fields. */
function useSlashKey(onSlash: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest('input, select, textarea, [contenteditable]') !== null
      if (event.key !== '/' || isTyping || event.metaKey || event.ctrlKey || event.altKey) return
      event.preventDefault()
      onSlash()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [onSlash])
}

interface SearchOptionProps {
  readonly id: string
  readonly show: Show
  readonly isActive: boolean
  readonly onPoint: () => void
}

/** A search result with its services. It is a link, so that it can be opened in a tab of its own. */
function SearchOption({ id, show, isActive, onPoint }: SearchOptionProps) {
  const format = useFormats()
  const hrefTo = useHref()
  const t = useMessages(layoutMessages).search
  const element = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const services = [...new Set(offersIn(show, useViewer().country).map(({ service }) => service.name))]
  return (
    <a
      ref={element}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      class="search-option"
      href={hrefTo(showPath(show))}
      onMouseMove={onPoint}
    >
      <Poster show={show} sizes="40px" isDecoration={true} />
      <span class="search-option-text">
        <span class="search-option-title" dir="auto">
          {show.title}
        </span>
        <span class="soft">
          {[t.types[show.showType], showYears(show)].filter(Boolean).join(' · ')}
          <br />
          {services.length > 0 ? format.list(services.slice(0, 3)) : t.nowhere}
        </span>
      </span>
    </a>
  )
}

/** Searches for a title. The last result stays while the next one is loading. */
function useTitleSearch(text: string) {
  const viewer = useViewer()
  const title = useDebounced(text.trim())
  const result = useQuery(title === '' ? undefined : titleQuery(viewer, title))
  const last = useRef<Show[]>([])
  if (result.state === 'ready') last.current = result.value
  if (title === '') last.current = []
  // While the user goes on typing, the result is for an earlier text.
  const isForText = result.state === 'ready' && title === text.trim()
  return { result, isForText, shows: result.state === 'failed' ? [] : last.current }
}
