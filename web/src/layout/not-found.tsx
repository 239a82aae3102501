import { catalogFacts, countryNames, hrefTo, viewer } from '../app/viewer.ts'
import { ButtonLink } from '../components/button.tsx'
import { regionName } from '../i18n/formats.ts'
import { shellMessages } from '../messages/tables.ts'
import { location } from '../routing/router.ts'
import { useTitle } from './page-title.ts'

/** What stands under an address that leads nowhere. */
export function MissingPage() {
  const t = shellMessages.current.missing
  useTitle(t.title)
  return (
    <div class="stack">
      <h1>{t.title}</h1>
      <p>{t.text}</p>
      <ButtonLink kind="main" href={hrefTo('/')}>
        {t.home}
      </ButtonLink>
    </div>
  )
}

/** What stands in place of a page for a country that the catalog does not have: the ways to those that it has. */
export function UnknownCountry() {
  const t = shellMessages.current.unknownCountry
  const title = t.title(regionName(viewer.value.country))
  useTitle(title)
  const { path, query } = location.value
  const here = (country: string) => hrefTo(path, { ...Object.fromEntries(query), country })
  const { country: guessed } = catalogFacts.value.guess
  const guess = countryNames().find(({ code }) => code === guessed)
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
        {countryNames().map(({ code, name }) => (
          <li key={code}>
            <a href={here(code)}>{name}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}
