import { hasCountry } from '../data/catalog-facts.ts'
import { countryNames } from '../data/country-names.ts'
import { viewer } from '../data/viewer.ts'
import { regionName } from '../i18n/formats.ts'
import { LANGUAGES } from '../i18n/language.ts'
import { location, navigate } from '../routing/location.ts'
import { shellMessages } from './messages.ts'

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
