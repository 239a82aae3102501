import { catalogFacts } from '../data/catalog-facts.ts'
import { hrefTo } from '../routing/href-to.ts'
import { SafeLink } from '../ui/safe-link.tsx'
import { shellMessages } from './messages.ts'
import './footer.css'

/** The foot of every page: what this is, where it goes on, and what the sources of the catalog want to be said. */
export function Footer() {
  const t = shellMessages.current
  const { attributions } = catalogFacts.value
  return (
    <footer class="footer">
      <div class="page stack">
        <div class="row footer-row">
          <p class="soft">{t.footer.what}</p>
          <ul class="row">
            <li>
              <a href={hrefTo('/dashboard')}>{t.footer.dashboard}</a>
            </li>
            <li>
              <a href={hrefTo('/docs')}>{t.footer.api}</a>
            </li>
            <li>
              <a href="/openapi.json">{t.footer.openapi}</a>
            </li>
          </ul>
        </div>
        {attributions.length > 0 && (
          <section class="footer-sources" aria-label={t.footer.sources}>
            {attributions.map(({ text, link }) => (
              <p key={text}>
                <SafeLink href={link}>{text}</SafeLink>
              </p>
            ))}
          </section>
        )}
      </div>
    </footer>
  )
}
