import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import errors from '../../../spec/errors.json'
import { useHref, useLocation, useMessages } from '../app/context.ts'
import { TextField } from '../components/field.tsx'
import { useQuery } from '../data/use-query.ts'
import { platformMessages, referenceMessages } from '../messages/tables.ts'
import { DeveloperLayout } from '../platform/developer-layout.tsx'
import { GUIDE_PATHS, GUIDES, guideSections } from './guide.ts'
import { listOperations, type OpenApi, useOpenApi } from './openapi.ts'
import { type SearchEntry, searchReference } from './search-reference.ts'
import './reference-layout.css'

interface ReferenceLayoutProps {
  readonly title: string
  readonly lead?: ComponentChildren
  readonly children: ComponentChildren
}

/** Layout of reference, errors and guides: a sidebar with all of them and a search, and the page beside it. */
export function ReferenceLayout({ title, lead, children }: ReferenceLayoutProps) {
  return (
    <DeveloperLayout title={title} lead={lead}>
      <div class="reference">
        <Sidebar />
        <div class="reference-content stack">{children}</div>
      </div>
    </DeveloperLayout>
  )
}

function Sidebar() {
  const t = useMessages(referenceMessages)
  const api = useOpenApi()
  const [text, setText] = useState('')
  const [isSearched, setSearched] = useState(false)
  return (
    <aside class="reference-sidebar" aria-label={t.contents}>
      <TextField
        label={t.search}
        type="search"
        value={text}
        onFocus={() => setSearched(true)}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {text.trim() !== '' && isSearched ? (
        <SearchResults text={text} api={api.state === 'ready' ? api.value : undefined} />
      ) : (
        <Contents api={api.state === 'ready' ? api.value : undefined} />
      )}
    </aside>
  )
}

/** Endpoints by tag, guides, and errors. */
function Contents({ api }: { api: OpenApi | undefined }) {
  const t = useMessages(referenceMessages)
  const { nav } = useMessages(platformMessages)
  const operations = api === undefined ? [] : listOperations(api)
  return (
    <nav aria-label={t.contents}>
      <h2>{t.guides}</h2>
      <ul>
        <SidebarLink path="/docs/start">{nav.start}</SidebarLink>
        {GUIDE_PATHS.map((path) => (
          <SidebarLink key={path} path={path}>
            {t.guideNames[path]}
          </SidebarLink>
        ))}
      </ul>
      <h2>{t.title}</h2>
      <ul>
        <SidebarLink path="/docs">{t.overview}</SidebarLink>
        {operations.map(({ operation }) => (
          <SidebarLink key={operation.operationId} path={`/docs/api/${operation.operationId}`}>
            <span lang="en">{operation.summary}</span>
          </SidebarLink>
        ))}
        <SidebarLink path="/docs/errors">{t.errors}</SidebarLink>
      </ul>
    </nav>
  )
}

function SidebarLink({ path, children }: { path: string; children: ComponentChildren }) {
  const hrefTo = useHref()
  const isCurrent = useLocation().path === path
  return (
    <li>
      <a href={hrefTo(path)} aria-current={isCurrent ? 'page' : undefined}>
        {children}
      </a>
    </li>
  )
}

/** What the whole documentation says of the words. The texts of the guides are loaded for the first search. */
function SearchResults({ text, api }: { text: string; api: OpenApi | undefined }) {
  const t = useMessages(referenceMessages)
  const hrefTo = useHref()
  const guides = useQuery({ key: 'guide sections', fetch: loadSections })
  const entries: SearchEntry[] = [
    ...(api === undefined ? [] : operationEntries(api)),
    ...errors.map(({ code, meaning, remedy }) => ({
      title: code,
      place: t.errors,
      href: `/docs/errors#${code}`,
      text: `${meaning} ${remedy}`,
    })),
    ...(guides.state === 'ready' ? guides.value : []).map(({ path, title, id, text: body }) => ({
      title,
      place: t.guideNames[path],
      href: path + (id === '' ? '' : `#${id}`),
      text: body,
    })),
  ]
  const found = searchReference(entries, text)
  return (
    <div role="status">
      {found.length === 0 && <p class="soft">{t.nothingFound}</p>}
      <ul class="reference-found">
        {found.map(({ title, place, href }) => {
          const [path = '', anchor] = href.split('#')
          return (
            <li key={`${href} ${title}`}>
              <a href={hrefTo(path) + (anchor === undefined ? '' : `#${anchor}`)}>
                <strong lang="en">{title}</strong>
                <span class="soft">{place}</span>
              </a>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

async function loadSections() {
  const guides = await Promise.all(
    GUIDE_PATHS.map(async (path) => ({ path, guide: (await GUIDES[path].load()).default })),
  )
  return guides.flatMap(({ path, guide }) => guideSections(guide).map((section) => ({ path, ...section })))
}

/** Endpoints, and their parameters. */
function operationEntries(api: OpenApi): SearchEntry[] {
  return listOperations(api).flatMap(({ path, operation }) => {
    const href = `/docs/api/${operation.operationId}`
    const { summary, description, operationId, parameters = [] } = operation
    return [
      { title: summary, place: `GET ${path}`, href, text: `${operationId} ${path} ${description}` },
      ...parameters.map((parameter) => ({
        title: parameter.name,
        place: summary,
        href: `${href}#${parameter.name}`,
        text: parameter.description ?? '',
      })),
    ]
  })
}
