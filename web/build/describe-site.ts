import { Marquee } from 'marquee-client'
import type { Plugin, Rollup } from 'vite'
import type { Query } from '../src/data/query-cache.ts'
import { LANGUAGES, type Language } from '../src/i18n/language.ts'
import { INITIAL_QUERIES, PAGE_PATHS, type PagePath } from '../src/routes.ts'

/** Stand in a request for what is known only when a page is opened. */
const UNKNOWN = { country: '{country}', language: '{language}' as Language, rest: '{rest}' }

/** The pages that the service renders although they are not part of the start: their files go with the HTML. */
const RENDERED_PAGES: Readonly<Partial<Record<PagePath, string>>> = { '/show/*': '/src/explorer/show/show-page.tsx' }

/** Tells the service, in `site.json`, what it has to know of the pages to serve them. */
export const describeSite: Plugin = {
  name: 'describe-site',
  applyToEnvironment: ({ name }) => name === 'client',
  async generateBundle(_options, bundle) {
    const languages = Object.keys(LANGUAGES)
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const texts = chunks.flatMap(({ name, fileName }) =>
      name.startsWith('texts-') ? [[name.slice('texts-'.length), `/${fileName}`]] : [],
    )
    const files = Object.entries(RENDERED_PAGES).map(([path, module]) => [path, pageFiles(module, chunks)])
    const site = {
      paths: PAGE_PATHS,
      languages,
      texts: Object.fromEntries(texts),
      files: Object.fromEntries(files),
      requests: await firstRequests(),
    }
    this.emitFile({ type: 'asset', fileName: 'site.json', source: `${JSON.stringify(site, undefined, 2)}\n` })
  },
}

/** The scripts and styles that a page loads beside those of the start. */
function pageFiles(module: string, chunks: readonly Rollup.OutputChunk[]): { scripts: string[]; styles: string[] } {
  const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))
  if (page === undefined) throw new Error(`The build has no file for the page "${module}"`)
  const loaded = new Set([page])
  for (const { imports } of loaded) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName) && chunk.name !== 'start') loaded.add(chunk)
  }
  const styles = [...loaded].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]).reverse()
  return { scripts: [...loaded].map(({ fileName }) => `/${fileName}`), styles: styles.map((name) => `/${name}`) }
}

/** The requests that the first queries of each page make, as the client makes them. */
async function firstRequests(): Promise<Record<string, string[]>> {
  const requests: Record<string, string[]> = {}
  for (const [path, buildQueries] of Object.entries(INITIAL_QUERIES))
    requests[path] = await Promise.all(buildQueries(UNKNOWN).map(recordRequest))
  return requests
}

async function recordRequest({ key, fetch: fetchQuery }: Query<unknown>): Promise<string> {
  let request: string | undefined
  const fetch = async (url: RequestInfo | URL): Promise<Response> => {
    const { pathname, search } = new URL(String(url))
    request = decodeURIComponent(pathname + search)
    throw new Error('Only the address is wanted')
  }
  await fetchQuery(
    new AbortController().signal,
    new Marquee({ baseUrl: 'http://localhost/v4', fetch, retries: 0 }),
  ).catch(() => {})
  if (request === undefined) throw new Error(`The question "${key}" makes no request`)
  return request
}
