import { Marquee } from 'marquee-client'
import type { Plugin, Rollup } from 'vite'
import type { Query } from '../src/data/query-cache.ts'
import { LANGUAGES, type Language } from '../src/i18n/language.ts'
import { INITIAL_QUERIES, PAGE_PATHS, type PagePath } from '../src/routes.ts'

/** Placeholders in requests, which the server replaces. */
const PLACEHOLDERS = { country: '{country}', language: '{language}' as Language, rest: '{rest}' }

/** Server-rendered pages that are not in the first script: their files are linked in the HTML. */
const RENDERED_PAGES: Readonly<Partial<Record<PagePath, string>>> = {
  '/show/*': '/src/explorer/show/show-page.tsx',
  '/docs/errors': '/src/reference/errors-page.tsx',
}

/** Writes `site.json`, from which the server knows paths, languages, files and initial requests. */
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
      requests: await initialRequests(),
    }
    this.emitFile({ type: 'asset', fileName: 'site.json', source: `${JSON.stringify(site, undefined, 2)}\n` })
  },
}

/** Scripts and styles of a page beside those of the start. */
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

/** The requests of the initial queries of each page. */
async function initialRequests(): Promise<Record<string, string[]>> {
  const requests: Record<string, string[]> = {}
  for (const [path, buildQueries] of Object.entries(INITIAL_QUERIES))
    requests[path] = await Promise.all(buildQueries(PLACEHOLDERS).map(recordRequest))
  return requests
}

async function recordRequest({ key, fetch: fetchQuery }: Query<unknown>): Promise<string> {
  let request: string | undefined
  const fetch = async (url: RequestInfo | URL): Promise<Response> => {
    const { pathname, search } = new URL(String(url))
    request = decodeURIComponent(pathname + search)
    throw new Error('Only the URL is needed')
  }
  await fetchQuery(
    new AbortController().signal,
    new Marquee({ baseUrl: 'http://localhost/v4', fetch, retries: 0 }),
  ).catch(() => {})
  if (request === undefined) throw new Error(`The query "${key}" sends no request`)
  return request
}
