import { useEffect } from 'preact/hooks'

const SITE = 'Marquee'

let drawn = SITE

/** The title of the page that was just drawn: where there is no document, it is taken from here. */
export function takeDrawnTitle(): string {
  const title = drawn
  drawn = SITE
  return title
}

/** Names the page in the browser's tab and history. */
export function useTitle(title: string | undefined): void {
  const text = title === undefined || title === '' ? SITE : `${title} · ${SITE}`
  drawn = text
  useEffect(() => {
    document.title = text
  }, [text])
}
