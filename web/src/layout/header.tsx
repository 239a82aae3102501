import { useEffect, useRef } from 'preact/hooks'
import { countryNames, hasCountry, hrefTo, viewer } from '../app/viewer.ts'
import { regionName } from '../i18n/formats.ts'
import { LANGUAGES } from '../i18n/language.ts'
import { shellMessages } from '../messages/tables.ts'
import type { PagePath } from '../routes.ts'
import { location, navigate } from '../routing/router.ts'
import { SearchBox } from './search-box.tsx'
import './header.css'

/** The head of every page: the way home, the search, the pickers, and the pages. */
export function Header() {
  const t = shellMessages.current
  const links: readonly (readonly [PagePath, string])[] = [
    ['/browse', t.nav.browse],
    ['/new', t.nav.new],
    ['/leaving', t.nav.leaving],
    ['/upcoming', t.nav.upcoming],
    ['/top', t.nav.top],
    ['/docs/start', t.nav.developers],
  ]
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => showCurrent(list.current), [location.value.path])
  return (
    <header class="header">
      <div class="page header-row">
        <a class="header-home" href={hrefTo('/')} aria-label={t.name}>
          <Logo />
          <span>{t.name}</span>
        </a>
        <div class="header-search">
          <SearchBox />
        </div>
        <div class="header-pickers">
          <CountryPicker />
          <LanguagePicker />
        </div>
        <nav class="header-nav" aria-label={t.nav.label}>
          <ul ref={list}>
            {links.map(([path, name]) => (
              <li key={path}>
                <a href={hrefTo(path)} aria-current={location.value.path === path ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </header>
  )
}

/** On a phone not all pages fit into the line: the present one is brought into view. */
function showCurrent(list: HTMLUListElement | null): void {
  const link = list?.querySelector<HTMLElement>('[aria-current]')
  if (list && link) list.scrollLeft = link.offsetLeft - list.offsetLeft - (list.clientWidth - link.offsetWidth) / 2
}

/** Chooses the country. The rest of the address stays, except what belongs to the former country. */
export function CountryPicker() {
  const t = shellMessages.current
  const { country } = viewer.value
  const known = countryNames()
  const names = hasCountry(country) ? known : [{ code: country, name: regionName(country) }, ...known]
  return (
    <select
      class="control"
      aria-label={t.country}
      value={country}
      onChange={(event) => changeQuery({ country: event.currentTarget.value })}
    >
      {names.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** Chooses the language of the pages, and of what the catalog says. */
export function LanguagePicker() {
  const t = shellMessages.current
  return (
    <select
      class="control"
      aria-label={t.language}
      value={viewer.value.language}
      onChange={(event) => changeQuery({ lang: event.currentTarget.value })}
    >
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  )
}

function changeQuery(values: Readonly<Record<string, string>>): void {
  const { path, query } = location.peek()
  const changed = new URLSearchParams(query)
  for (const [name, value] of Object.entries(values)) changed.set(name, value)
  navigate(`${path}?${changed}`)
}

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
