import type { OutputLanguage } from 'marquee-client'
import { useApp, useFormats, useHref, useLocation, useMessages, useOwnServices, useViewer } from '../app/context.ts'
import { countryNames, textLanguage } from '../app/viewer.ts'
import { Notice, Skeleton } from '../components/feedback.tsx'
import { SelectField } from '../components/field.tsx'
import { useCountry } from '../data/use-query.ts'
import { LANGUAGES } from '../i18n/language.ts'
import { Failure } from '../layout/failure.tsx'
import { useTitle } from '../layout/page-head.ts'
import { explorerMessages, layoutMessages } from '../messages/tables.ts'
import { ServiceMark } from './components/service-logo.tsx'
import './settings-page.css'
import '../components/button.css'

/** The languages that the API has texts in. */
const TITLE_LANGUAGES: readonly OutputLanguage[] = [
  'en',
  'es',
  'fr',
  'tr',
  'de',
  'it',
  'pt',
  'nl',
  'pl',
  'sv',
  'ja',
  'ko',
]

/** Services, country, languages and colours of the viewer. The form goes to the service, which keeps them in a cookie. */
export default function SettingsPage() {
  const t = useMessages(explorerMessages).settings
  const layoutText = useMessages(layoutMessages)
  const hrefTo = useHref()
  const format = useFormats()
  const viewer = useViewer()
  const { catalog, language } = useApp()
  const isSaved = useLocation().query.has('saved')
  useTitle(t.title)
  const { theme = '' } = catalog.preferences ?? {}
  return (
    <div class="stack settings">
      <h1>{t.title}</h1>
      <p class="soft">{t.lead}</p>
      <div role="status">
        {isSaved && (
          <Notice kind="good" title={t.saved}>
            <p>
              <a href={hrefTo('/')}>{layoutText.missing.home}</a>
            </p>
          </Notice>
        )}
      </div>
      <form class="settings-form" action="/settings">
        <input type="hidden" name="save" value="1" />
        <ServiceChoice />
        <div class="settings-fields">
          <SelectField label={layoutText.country} name="country" value={viewer.country}>
            {countryNames(catalog, language.value).map(({ code, name }) => (
              <option key={code} value={code} selected={code === viewer.country}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField label={t.language} name="lang" value={viewer.language}>
            {Object.entries(LANGUAGES).map(([code, name]) => (
              <option key={code} value={code} lang={code} selected={code === viewer.language}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField label={t.titles} name="titles" value={textLanguage(viewer)}>
            {TITLE_LANGUAGES.map((code) => (
              <option key={code} value={code} selected={code === textLanguage(viewer)}>
                {format.languageName(code)}
              </option>
            ))}
          </SelectField>
          <SelectField label={t.theme} name="theme" value={theme}>
            {(['', 'light', 'dark'] as const).map((name) => (
              <option key={name} value={name} selected={name === theme}>
                {t.themes[name === '' ? 'system' : name]}
              </option>
            ))}
          </SelectField>
        </div>
        <button type="submit" class="button button-main">
          {t.save}
        </button>
      </form>
    </div>
  )
}

/** A checkbox for each service of the country. Services of other countries are kept as they are. */
function ServiceChoice() {
  const t = useMessages(explorerMessages).settings
  const own = useOwnServices()
  const country = useCountry()
  if (country.state === 'loading') return <Skeleton height="16rem" />
  if (country.state === 'failed') return <Failure error={country.error} retry={country.retry} />
  const { services } = country.value
  const elsewhere = [...own].filter((service) => services.every(({ id }) => id !== service))
  return (
    <fieldset class="settings-services">
      <legend>{t.services}</legend>
      {elsewhere.length > 0 && <input type="hidden" name="services" value={elsewhere.join()} />}
      {services.map((service) => (
        <label key={service.id}>
          <input type="checkbox" name="services" value={service.id} defaultChecked={own.has(service.id)} />
          <span aria-hidden="true">
            <ServiceMark service={service} />
          </span>
          {service.name}
        </label>
      ))}
    </fieldset>
  )
}
