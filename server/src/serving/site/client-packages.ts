import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Site } from '../../http/site/page.ts'

/** The packages that the build wrote; the path is the same from `src` and from `dist`. */
const FOLDER = fileURLToPath(new URL('../../../clients/', import.meta.url))

/** The name by which pip asks for the Python client, normalized. */
const PYTHON_PROJECT = 'marquee-client'

const FILE_TYPES: readonly (readonly [ending: string, contentType: string])[] = [
  ['.whl', 'application/zip'],
  ['.tar.gz', 'application/gzip'],
]

/**
 * `/clients/`: the packages of the client libraries, and pages that list them as pip reads them: the page itself for
 * `--find-links`, and with the page of the project for `--index-url` (PEP 503).
 */
export function createClientPackages(folder: string = FOLDER): Site[] {
  const files = new Map<string, { contentType: string; body: Buffer }>()
  // A server that was compiled without the packages has none to give.
  for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
    const [, contentType] = FILE_TYPES.find(([ending]) => name.endsWith(ending)) ?? []
    if (contentType !== undefined) files.set(name, { contentType, body: readFileSync(join(folder, name)) })
  }
  const links = [...files].map(([name, { body }]) => {
    const digest = createHash('sha256').update(body).digest('hex')
    return `<a href="/clients/${name}#sha256=${digest}" data-requires-python="&gt;=3.9">${name}</a><br>`
  })
  const projectPage = listPage(`Links for ${PYTHON_PROJECT}`, links)
  const project = `<a href="/clients/${PYTHON_PROJECT}/">${PYTHON_PROJECT}</a> for Python<br>`
  const rootPage = listPage('Client libraries', [project, ...links])
  const serve = (path: string) => {
    if (files.size === 0) return undefined
    if (path === '') return rootPage
    return path === PYTHON_PROJECT || path === `${PYTHON_PROJECT}/` ? projectPage : files.get(path)
  }
  // Short: the files of a development version change under their names.
  const shared = { cacheControl: 'public, max-age=300', serve }
  return [
    { ...shared, prefix: '/clients/' },
    { ...shared, prefix: '/clients', isExact: true },
  ]
}

function listPage(title: string, lines: readonly string[]): { contentType: string; body: string } {
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="pypi:repository-version" content="1.0"><title>${title}</title></head>
<body>
<h1>${title}</h1>
${lines.join('\n')}
</body>
</html>
`
  return { contentType: 'text/html; charset=utf-8', body }
}
