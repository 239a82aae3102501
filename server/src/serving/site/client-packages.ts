import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { JSON_TYPE } from '../../http/exchange/headers.ts'
import type { Site } from '../../http/site/page.ts'

/** The packages that the build wrote; the path is the same from `src` and from `dist`. */
const FOLDER = fileURLToPath(new URL('../../../clients/', import.meta.url))

/** The name by which pip asks for the Python client, normalized. */
const PYTHON_PROJECT = 'marquee-client'

const FILE_TYPES: readonly (readonly [ending: string, contentType: string])[] = [
  ['.whl', 'application/zip'],
  ['.tar.gz', 'application/gzip'],
  ['.tgz', 'application/gzip'],
  ['.zip', 'application/zip'],
  ['.mod', 'text/plain; charset=utf-8'],
]

/** The files of the Go client: its `go.mod` and the zip of the module. */
const GO_FILE = /^marquee-go-(v[\w.-]+)\.(mod|zip)$/

/** Modules have a time; that of a version of ours says nothing, so it is always the same. */
const GO_TIME = '2026-01-01T00:00:00Z'

/** A file as it is served. */
interface PackageFile {
  readonly contentType: string
  readonly body: string | Buffer
}

/**
 * `/clients/`: the packages of the client libraries, and pages that list them as pip reads them: the page itself for
 * `--find-links`, and with the page of the project for `--index-url` (PEP 503). `/clients/go` is a Go module proxy
 * (`GOPROXY`) with the one module; npm installs `/clients/marquee-client.tgz` by its address.
 */
export function createClientPackages(folder: string = FOLDER): Site[] {
  const files = new Map<string, PackageFile>()
  // A server that was compiled without the packages has none to give.
  for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
    const [, contentType] = FILE_TYPES.find(([ending]) => name.endsWith(ending)) ?? []
    if (contentType !== undefined) files.set(name, { contentType, body: readFileSync(join(folder, name)) })
  }
  const goFiles = goProxyFiles(files)
  const links = [...files]
    .filter(([name]) => /\.(?:whl|tar\.gz)$/.test(name))
    .map(([name, { body }]) => {
      const digest = createHash('sha256').update(body).digest('hex')
      return `<a href="/clients/${name}#sha256=${digest}" data-requires-python="&gt;=3.9">${name}</a><br>`
    })
  const projectPage = listPage(`Links for ${PYTHON_PROJECT}`, links)
  const project = `<a href="/clients/${PYTHON_PROJECT}/">${PYTHON_PROJECT}</a> for Python<br>`
  const others = [...files.keys()]
    .filter((name) => /\.(?:tgz|zip)$/.test(name))
    .map((name) => `<a href="/clients/${name}">${name}</a><br>`)
  const rootPage = listPage('Client libraries', [project, ...links, ...others])
  const serve = (path: string) => {
    if (files.size === 0) return undefined
    if (path === '') return rootPage
    return path === PYTHON_PROJECT || path === `${PYTHON_PROJECT}/`
      ? projectPage
      : (files.get(path) ?? goFiles.get(path))
  }
  // Short: the files of a development version change under their names.
  const shared = { cacheControl: 'public, max-age=300', serve }
  return [
    { ...shared, prefix: '/clients/' },
    { ...shared, prefix: '/clients', isExact: true },
  ]
}

/** The files of the Go client under the paths of a module proxy, below `go/` and the path of the module. */
function goProxyFiles(files: ReadonlyMap<string, PackageFile>): Map<string, PackageFile> {
  const proxied = new Map<string, PackageFile>()
  for (const [name, file] of files) {
    const [, version, kind] = GO_FILE.exec(name) ?? []
    if (version === undefined || kind !== 'mod') continue
    const [, module] = /^module (\S+)$/m.exec(String(file.body)) ?? []
    const zip = files.get(name.replace(/mod$/, 'zip'))
    if (module === undefined || zip === undefined) continue
    const info = { contentType: JSON_TYPE, body: JSON.stringify({ Version: version, Time: GO_TIME }) }
    const versions = `go/${module}/@v`
    proxied.set(`${versions}/list`, { contentType: 'text/plain; charset=utf-8', body: `${version}\n` })
    proxied.set(`${versions}/${version}.info`, info)
    proxied.set(`go/${module}/@latest`, info)
    proxied.set(`${versions}/${version}.mod`, file)
    proxied.set(`${versions}/${version}.zip`, zip)
  }
  return proxied
}

function listPage(title: string, lines: readonly string[]): PackageFile {
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
