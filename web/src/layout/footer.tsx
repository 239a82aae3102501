import { useApp, useHref, useMessages, useReusable } from '../app/context.ts'
import { SafeLink } from '../components/safe-url.tsx'
import { layoutMessages } from '../messages/tables.ts'
import './footer.css'

/** Footer with links and the attributions of the sources. */
export function Footer() {
  const hrefTo = useHref()
  const t = useMessages(layoutMessages)
  const { language, catalog } = useApp()
  const { attributions } = catalog
  return useReusable(`footer ${language.value} ${hrefTo('')} ${JSON.stringify(attributions)}`, () => (
    <footer class="footer">
      <div class="page stack">
        <div class="row footer-row">
          <p class="soft">{t.footer.what}</p>
          <ul class="row">
            <li>
              <a href={hrefTo('/settings')}>{t.settings}</a>
            </li>
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
  ))
}

/** Banner of the demo catalog: its availability is invented. A phone gets a shorter text. */
export function DemoBanner() {
  const { demo, demoShort } = useMessages(layoutMessages)
  const { isDemo } = useApp().catalog
  if (!isDemo) return null
  return (
    <aside class="demo-banner">
      <p class="page">
        <span class="demo-banner-long">{demo}</span>
        <span class="demo-banner-short">{demoShort}</span>
      </p>
    </aside>
  )
}
