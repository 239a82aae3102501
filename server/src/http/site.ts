/** Resources that the composition root adds to the app: artwork, web pages. They need no key. */
export interface Site {
  /** Where they are: `/artwork/`. What follows is handed to `serve`. */
  readonly prefix: string
  /** A day, and fresh for a week while the service is asked again, unless said otherwise. */
  readonly cacheControl?: string
  /** The resource at a path below the prefix, or undefined where there is none. */
  serve(path: string): { readonly contentType: string; readonly body: string | Buffer } | undefined
}

/** How long resources of sites are kept by browsers and proxies. */
export const SITE_CACHE_CONTROL = 'public, max-age=86400, stale-while-revalidate=604800'
