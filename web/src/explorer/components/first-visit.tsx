import { useApp, useHref, useMessages } from '../../app/context.ts'
import { ButtonLink } from '../../components/button.tsx'
import { explorerMessages } from '../../messages/tables.ts'
import './first-visit.css'

/** Asks a new viewer for the services that they have. It can be skipped, and is not shown again. */
export function FirstVisit() {
  const hrefTo = useHref()
  const t = useMessages(explorerMessages).firstVisit
  if (useApp().catalog.preferences !== undefined) return null
  return (
    <aside class="first-visit" aria-label={t.title}>
      <p>
        <strong>{t.title}</strong> <span class="soft">{t.text}</span>
      </p>
      {/* The form goes to the service, which sets the cookie. */}
      <form class="row" action="/settings">
        <input type="hidden" name="save" value="skip" />
        <ButtonLink kind="main" href={hrefTo('/settings')}>
          {t.choose}
        </ButtonLink>
        <button type="submit" class="button button-quiet">
          {t.skip}
        </button>
      </form>
    </aside>
  )
}
