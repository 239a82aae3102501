import { useApp, useFormats, useHref, useLocation, useMessages, useViewer } from '../app/context.ts'
import { countryNames, keptValues } from '../app/viewer.ts'
import { ButtonLink } from '../components/button.tsx'
import { layoutMessages } from '../messages/tables.ts'
import { useTitle } from './page-head.ts'

/** The page of unknown paths. */
export function NotFoundPage() {
  const hrefTo = useHref()
  const { missing: t, search } = useMessages(layoutMessages)
  useTitle(t.title)
  return (
    <div class="stack">
      <h1>{t.title}</h1>
      <p>{t.text}</p>
      <div class="row">
        <ButtonLink kind="main" href={hrefTo('/')}>
          {t.home}
        </ButtonLink>
        <ButtonLink href={hrefTo('/search')}>{search.label}</ButtonLink>
      </div>
    </div>
  )
}

/** Replaces a page for a country that the catalog does not cover: links to the countries that it covers. */
export function UnknownCountryPage() {
  const { catalog, language } = useApp()
  const format = useFormats()
  const hrefTo = useHref()
  const t = useMessages(layoutMessages).unknownCountry
  const title = t.title(format.regionName(useViewer().country))
  useTitle(title)
  const { path, query } = useLocation()
  const here = (country: string) => hrefTo(path, { ...keptValues(query), country })
  const { country: guessed } = catalog.guess
  const countries = countryNames(catalog, language.value)
  const guess = countries.find(({ code }) => code === guessed)
  return (
    <div class="stack">
      <h1>{title}</h1>
      {guess !== undefined && (
        <ButtonLink kind="main" href={here(guess.code)}>
          {t.goOn(guess.name)}
        </ButtonLink>
      )}
      <h2>{t.choose}</h2>
      <ul class="row">
        {countries.map(({ code, name }) => (
          <li key={code}>
            <a href={here(code)}>{name}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}
