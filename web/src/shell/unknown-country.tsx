import { catalogFacts } from '../data/catalog-facts.ts'
import { countryNames } from '../data/country-names.ts'
import { viewer } from '../data/viewer.ts'
import { regionName } from '../i18n/formats.ts'
import { hrefTo } from '../routing/href-to.ts'
import { location } from '../routing/location.ts'
import { ButtonLink } from '../ui/button.tsx'
import { shellMessages } from './messages.ts'
import { useTitle } from './use-title.ts'

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
