import type { Plugin, Rollup } from 'vite'
import { LANGUAGES } from '../src/i18n/language.ts'
import { PAGE_PATHS, RENDERED_PAGES } from '../src/routes.ts'

/** The page whose module is in the first script. */
const START_PAGE = '/'

/** Writes `site.json`, from which the server knows paths, languages, and the files of pages that it renders. */
export const describeSite: Plugin = {
  name: 'describe-site',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle(_options, bundle) {
    const languages = Object.keys(LANGUAGES)
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const texts = chunks.flatMap(({ name, fileName }) =>
      name.startsWith('texts-') ? [[name.slice('texts-'.length), `/${fileName}`]] : [],
    )
    const files = Object.entries(RENDERED_PAGES).map(([path, module]) => [
      path,
      path === START_PAGE ? { scripts: [], styles: [] } : pageFiles(module, chunks),
    ])
    const site = {
      paths: PAGE_PATHS,
      languages,
      texts: Object.fromEntries(texts),
      files: Object.fromEntries(files),
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
