import type { Query } from '../data/query-cache.ts'
import type { PagePath } from '../routes.ts'

/** An element of a document. */
interface GuideElement {
  readonly tag: string
  readonly id?: string
  readonly href?: string
  readonly children: readonly GuideNode[]
}

/** Text, or an element. */
export type GuideNode = string | GuideElement

/** A document of the repository, parsed by the build. */
export interface Guide {
  readonly title: string
  readonly nodes: readonly GuideNode[]
}

/** The guides that are pages, by path: the same Markdown as in the folder `docs`. */
export const GUIDES = {
  '/docs/guides/using-the-api': { file: 'using-the-api.md', load: () => import('../../../docs/using-the-api.md') },
  '/docs/guides/being-told': { file: 'being-told.md', load: () => import('../../../docs/being-told.md') },
  '/docs/guides/errors': { file: 'errors.md', load: () => import('../../../docs/errors.md') },
  '/docs/guides/assistants': { file: 'assistants.md', load: () => import('../../../docs/assistants.md') },
  '/docs/guides/feeds': { file: 'feeds.md', load: () => import('../../../docs/feeds.md') },
  '/docs/guides/changelog': { file: '../CHANGELOG.md', load: () => import('../../../CHANGELOG.md') },
} as const satisfies Partial<Record<PagePath, { file: string; load: () => Promise<{ default: Guide }> }>>

export type GuidePath = keyof typeof GUIDES

export const GUIDE_PATHS = Object.keys(GUIDES) as readonly GuidePath[]

/** The text of a guide. */
export function guideQuery(path: GuidePath): Query<Guide> {
  return { key: `guide ${path}`, fetch: async () => (await GUIDES[path].load()).default }
}

/** The part of a guide below a heading. */
export interface GuideSection {
  readonly title: string
  /** The anchor of its heading; empty above the first one. */
  readonly id: string
  /** The level of its heading, from 2; that of the title is 1. */
  readonly level: number
  readonly text: string
}

/** The sections of a guide with their texts, for the search. */
export function guideSections({ title, nodes }: Guide): GuideSection[] {
  const sections: { title: string; id: string; level: number; text: string }[] = [{ title, id: '', level: 1, text: '' }]
  for (const node of nodes) {
    const last = sections.at(-1)
    if (typeof node !== 'string' && /^h[2-4]$/.test(node.tag)) {
      sections.push({ title: nodeText(node), id: node.id ?? '', level: Number(node.tag.slice(1)), text: '' })
    } else if (last !== undefined) last.text += ` ${nodeText(node)}`
  }
  return sections
}

function nodeText(node: GuideNode): string {
  return typeof node === 'string' ? node : node.children.map(nodeText).join(' ')
}

/** Where a link of a guide leads on the pages: to another guide, to a website, or nowhere if it is a file of the repository. */
export function guideLink(href: string): string | undefined {
  if (/^(?:https?:|#)/.test(href)) return href
  const [file, anchor] = href.split('#')
  const path = GUIDE_PATHS.find((one) => GUIDES[one].file === file)
  return path === undefined ? undefined : path + (anchor === undefined ? '' : `#${anchor}`)
}
