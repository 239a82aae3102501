import { useEffect } from 'preact/hooks'
import { SITE_NAME, useApp } from '../app/context.ts'

/**
 * Sets the title of the HTML page. In the browser it becomes `document.title`; the server takes it from the context after
 * rendering, and writes it into `<title>`.
 */
export function useTitle(title: string | undefined): void {
  const app = useApp()
  const text = title === undefined || title === '' ? SITE_NAME : `${title} · ${SITE_NAME}`
  app.title = text
  useEffect(() => {
    document.title = text
  }, [text])
}
