import { createElement } from 'preact'
import { useHref, useLocation, useMessages } from '../app/context.ts'
import { Skeleton } from '../components/feedback.tsx'
import { SafeLink } from '../components/safe-url.tsx'
import { useQuery } from '../data/use-query.ts'
import { Failure } from '../layout/failure.tsx'
import { referenceMessages } from '../messages/tables.ts'
import { CodeBlock } from './code-block.tsx'
import { type Guide, type GuideNode, type GuidePath, guideLink, guideQuery, guideSections } from './guide.ts'
import { ReferenceLayout } from './reference-layout.tsx'
import './guide-page.css'

/** A guide: a document of the repository as a page. It is in English in every language of the pages. */
export default function GuidePage() {
  const path = useLocation().path as GuidePath
  const t = useMessages(referenceMessages)
  const guide = useQuery(guideQuery(path))
  if (guide.state === 'failed') return <Failure error={guide.error} retry={guide.retry} isForDevelopers={true} />
  return (
    <ReferenceLayout title={guide.state === 'ready' ? guide.value.title : t.guides}>
      {guide.state === 'loading' ? (
        <Skeleton height="30rem" />
      ) : (
        <div class="guide-columns">
          <GuideContents guide={guide.value} />
          <article class="guide" lang="en">
            {guide.value.nodes.map((node, place) => (
              <Node key={place} node={node} />
            ))}
          </article>
        </div>
      )}
    </ReferenceLayout>
  )
}

/** Links to the sections of a guide: beside it on a wide screen, else folded above it. */
function GuideContents({ guide }: { guide: Guide }) {
  const t = useMessages(referenceMessages)
  const sections = guideSections(guide).filter(({ id }) => id !== '')
  if (sections.length === 0) return null
  return (
    <nav class="guide-contents" aria-label={t.onThisPage}>
      <p>{t.onThisPage}</p>
      <details>
        <summary>{t.onThisPage}</summary>
        <ul lang="en">
          {sections.map(({ id, title, level }) => (
            <li key={id} class={level > 2 ? 'guide-contents-part' : undefined}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  )
}

/** Elements that have no meaning of their own here. */
const PLAIN_TAGS = new Set([
  'p',
  'ul',
  'ol',
  'li',
  'strong',
  'em',
  'del',
  'code',
  'br',
  'blockquote',
  'span',
  'tr',
  'td',
])

function Node({ node }: { node: GuideNode }) {
  const t = useMessages(referenceMessages)
  const hrefTo = useHref()
  if (typeof node === 'string') return <>{node}</>
  const { tag, id, href: target = '', children } = node
  const inner = children.map((child, place) => <Node key={place} node={child} />)
  if (/^h[2-4]$/.test(tag)) return createElement(tag, { id }, inner)
  if (PLAIN_TAGS.has(tag)) return createElement(tag, {}, inner)
  // The corner of a table has no name.
  if (tag === 'th') return children.length === 0 ? <td /> : <th scope="col">{inner}</th>
  if (tag === 'pre') return <CodeBlock label={t.example} text={String(children[0] ?? '')} />
  if (tag === 'table') {
    return (
      // Not a landmark: a guide has many tables.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
      // biome-ignore lint/a11y/useSemanticElements: it groups no fields
      <div class="table" role="group" tabIndex={0} aria-label={t.table}>
        <table>
          <tbody>{inner}</tbody>
        </table>
      </div>
    )
  }
  const href = guideLink(target)
  if (href === undefined) return <>{inner}</>
  if (!href.startsWith('/'))
    return href.startsWith('#') ? <a href={href}>{inner}</a> : <SafeLink href={href}>{inner}</SafeLink>
  const [path = '', anchor] = href.split('#')
  return <a href={hrefTo(path) + (anchor === undefined ? '' : `#${anchor}`)}>{inner}</a>
}
