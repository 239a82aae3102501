import { useEffect } from 'preact/hooks'
import { SITE_NAME, useApp } from '../app/context.ts'

/** A feed or calendar at a path of the site. */
export interface FeedLink {
  readonly type: string
  readonly title: string
  readonly href: string
}

/** What belongs into the `<head>` of a page. The server writes it; in the browser only the title follows. */
export interface PageHead {
  readonly title: string
  /** For search engines and for cards of shared links. */
  readonly description?: string
  /** The path with the essential parameters; undefined for pages that search engines should not list. */
  readonly canonical?: string
  /** The path of the image of a shared link. */
  readonly image?: string
  /** What the image shows; the title if absent. */
  readonly imageText?: string
  /** The type of OpenGraph; `website` if absent. */
  readonly type?: 'video.movie' | 'video.tv_show'
  /** Properties that its type of OpenGraph has beside those of all types. */
  readonly openGraph?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Feeds and calendars of what the page shows. */
  readonly feeds?: readonly FeedLink[]
  /** Structured data of schema.org. URLs that begin with `/` are completed by the server. */
  readonly structuredData?: object
}

/** The image of shared links to pages that are not about a show. */
export const SITE_CARD = '/cards/marquee.png'

/** Sets the head of the HTML page. The server takes it from the context after rendering. */
export function useHead({ title, ...head }: Omit<PageHead, 'title'> & { readonly title: string | undefined }): void {
  const app = useApp()
  const text = title === undefined || title === '' ? SITE_NAME : `${title} · ${SITE_NAME}`
  app.head = { ...head, title: text }
  useEffect(() => {
    document.title = text
  }, [text])
}

/** Sets the title of the HTML page, which search engines should not list. */
export function useTitle(title: string | undefined): void {
  useHead({ title })
}
