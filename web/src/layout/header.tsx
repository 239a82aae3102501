import { useEffect, useRef } from 'preact/hooks'
import { useApp, useFormats, useHref, useLocation, useMessages, useReusable, useViewer } from '../app/context.ts'
import { countryNames, keptValues } from '../app/viewer.ts'
import { QueryForm } from '../components/query-form.tsx'
import { LANGUAGES } from '../i18n/language.ts'
import { layoutMessages } from '../messages/tables.ts'
import type { PagePath } from '../routes.ts'
import { SearchBox } from './search-box.tsx'
import './header.css'

/** Logo, search box, country and language pickers, and navigation. */
export function Header() {
  const { path: current, query } = useLocation()
  const hrefTo = useHref()
  const t = useMessages(layoutMessages)
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
        <QueryForm class="header-pickers" path={current} kept={keptValues(query)} submit={t.apply}>
          <CountryPicker />
          <LanguagePicker />
          <a class="header-settings" href={hrefTo('/settings')} title={t.settings}>
            <span class="unseen">{t.settings}</span>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M4 7h10m4 0h2M4 17h2m4 0h10M14 7a2 2 0 1 0 4 0 2 2 0 0 0-4 0ZM6 17a2 2 0 1 0 4 0 2 2 0 0 0-4 0Z" />
            </svg>
          </a>
        </QueryForm>
        <Navigation />
      </div>
    </header>
  )
}

/** The pages for developers and operators, which share one link of the navigation. */
const DEVELOPER_PATHS = /^\/(?:docs|dashboard|operator|sign-in|sign-up|forgot-password|reset-password)(?:\/|$)/

/** Links to the main pages. */
function Navigation() {
  const { path: current } = useLocation()
  const hrefTo = useHref()
  const { nav } = useMessages(layoutMessages)
  const { language } = useApp()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => showCurrent(list.current), [current])
  const links: readonly (readonly [PagePath, string])[] = [
    ['/browse', nav.browse],
    ['/new', nav.new],
    ['/leaving', nav.leaving],
    ['/upcoming', nav.upcoming],
    ['/top', nav.top],
    ['/docs/start', nav.developers],
  ]
  const shown =
    links.find(([path]) => path === current)?.[0] ?? (DEVELOPER_PATHS.test(current) ? '/docs/start' : undefined)
  // The link is one to the page itself, or to the part that has it.
  const ariaCurrent = shown === current ? 'page' : 'true'
  return useReusable(`navigation ${language.value} ${hrefTo('')} ${shown} ${ariaCurrent}`, () => (
    <nav class="header-nav" aria-label={nav.label}>
      <ul ref={list}>
        {links.map(([path, name]) => (
          <li key={path}>
            <a href={hrefTo(path)} aria-current={shown === path ? ariaCurrent : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  ))
}

/** Scrolls the navigation to the current page: on a phone not all links fit. */
function showCurrent(list: HTMLUListElement | null): void {
  const link = list?.querySelector<HTMLElement>('[aria-current]')
  if (list && link) list.scrollLeft = link.offsetLeft - list.offsetLeft - (list.clientWidth - link.offsetWidth) / 2
}

/** Changes the country in the URL. */
function CountryPicker() {
  const format = useFormats()
  const t = useMessages(layoutMessages)
  const { country } = useViewer()
  const { catalog, language } = useApp()
  const changeQuery = useChangeQuery()
  const known = countryNames(catalog, language.value)
  // An empty catalog has no countries, and the address may name one that the catalog lacks.
  const isKnown = known.some(({ code }) => code === country)
  const names = isKnown ? known : [{ code: country, name: format.regionName(country) }, ...known]
  const key = `countries ${language.value} ${country} ${names.map(({ code }) => code)}`
  return useReusable(key, () => (
    <select
      class="control"
      name="country"
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
  ))
}

/** Changes the language in the URL, for the pages and for texts of the catalog. */
function LanguagePicker() {
  const t = useMessages(layoutMessages)
  const { language } = useViewer()
  const { language: shown } = useApp()
  const changeQuery = useChangeQuery()
  return useReusable(`languages ${shown.value} ${language}`, () => (
    <select
      class="control"
      name="lang"
      aria-label={t.language}
      value={language}
      onChange={(event) => changeQuery({ lang: event.currentTarget.value })}
    >
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  ))
}

/** Navigates to the same page with other values in the query string. */
function useChangeQuery(): (values: Readonly<Record<string, string>>) => void {
  const { router } = useApp()
  return (values) => {
    const { path, query } = router.location.peek()
    router.navigate(`${path}?${new URLSearchParams({ ...keptValues(query), ...values })}`)
  }
}

/** The logo: an M under four light bulbs. */
function Logo() {
  return useReusable('logo', () => (
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
  ))
}
