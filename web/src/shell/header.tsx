import { useEffect, useRef } from 'preact/hooks'
import type { PagePath } from '../paths.ts'
import { hrefTo } from '../routing/href-to.ts'
import { location } from '../routing/location.ts'
import { SearchBox } from '../search/search-box.tsx'
import { Logo } from './logo.tsx'
import { shellMessages } from './messages.ts'
import { CountryPicker, LanguagePicker } from './pickers.tsx'
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
