import { useHref, useMessages } from '../app/context.ts'
import { layoutMessages } from '../messages/tables.ts'
import { useTitle } from './page-head.ts'
import './first-run.css'

/** Replaces the pages of an empty catalog: what the operator of a new service does next. */
export function FirstRunPage() {
  const hrefTo = useHref()
  const t = useMessages(layoutMessages).firstRun
  useTitle(t.title)
  const steps = [
    { text: t.admin, command: 'marquee admin create you@example.com' },
    { text: t.demo, command: 'marquee demo --import' },
    { text: t.import, command: 'marquee import FILE' },
    { text: t.sync, command: 'marquee sync tmdb --countries us' },
  ]
  return (
    <div class="stack">
      <h1>{t.title}</h1>
      <p>{t.lead}</p>
      <ol class="first-steps">
        {steps.map(({ text, command }) => (
          <li key={command}>
            <p>{text}</p>
            <pre>
              <code>{command}</code>
            </pre>
          </li>
        ))}
      </ol>
      <p>{t.reload}</p>
      <p>
        {t.forms} <a href={hrefTo('/operator/data')}>{t.operator}</a>
      </p>
    </div>
  )
}
