import { hrefTo } from '../routing/href-to.ts'
import { ButtonLink } from '../ui/button.tsx'
import { shellMessages } from './messages.ts'
import { useTitle } from './use-title.ts'

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
