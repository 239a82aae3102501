import { marked, type Token, type Tokens } from 'marked'
import type { Plugin } from 'vite'
import type { Guide, GuideNode } from '../src/reference/guide.ts'

/** Markdown files of the repository that the pages show. */
const GUIDE_FILE = /\/(?:docs\/[\w-]+|CHANGELOG)\.md$/

/** Turns Markdown files into data that components render: the pages never set HTML. */
export const markdownGuides: Plugin = {
  name: 'markdown-guides',
  transform(text, id) {
    if (!GUIDE_FILE.test(id)) return undefined
    return { code: `export default ${JSON.stringify(parseGuide(text))}`, map: null }
  },
}

/** Parses the text of a guide. Its first heading is the title. */
export function parseGuide(text: string): Guide {
  const tokens = marked.lexer(text)
  const first = tokens.findIndex((token) => token.type === 'heading')
  const title = first < 0 ? '' : plainText(inline((tokens[first] as Tokens.Heading).tokens))
  return { title, nodes: blocks(tokens.filter((_, place) => place !== first)) }
}

function blocks(tokens: readonly Token[]): GuideNode[] {
  return tokens.flatMap((token) => block(token) ?? [])
}

function block(token: Token): GuideNode | undefined {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading
      const children = inline(tokens)
      return { tag: `h${Math.min(4, depth)}`, id: toAnchor(plainText(children)), children }
    }
    case 'paragraph': {
      const children = inline((token as Tokens.Paragraph).tokens)
      // A paragraph of pictures alone is empty here.
      return plainText(children).trim() === '' ? undefined : { tag: 'p', children }
    }
    case 'text':
      return { tag: 'span', children: inline((token as Tokens.Text).tokens ?? [token]) }
    case 'code':
      return { tag: 'pre', children: [(token as Tokens.Code).text] }
    case 'list': {
      const { ordered, items } = token as Tokens.List
      return {
        tag: ordered ? 'ol' : 'ul',
        children: items.map((item) => ({ tag: 'li', children: blocks(item.tokens) })),
      }
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table
      const row = (tag: string, cells: readonly Tokens.TableCell[]): GuideNode => ({
        tag: 'tr',
        children: cells.map((cell) => ({ tag, children: inline(cell.tokens) })),
      })
      return { tag: 'table', children: [row('th', header), ...rows.map((cells) => row('td', cells))] }
    }
    case 'blockquote':
      return { tag: 'blockquote', children: blocks((token as Tokens.Blockquote).tokens) }
    default:
      return undefined
  }
}

function inline(tokens: readonly Token[] = []): GuideNode[] {
  return tokens.flatMap((token): GuideNode | GuideNode[] => {
    switch (token.type) {
      case 'text':
      case 'escape':
        return unescapeText((token as Tokens.Text).text)
      case 'codespan':
        return { tag: 'code', children: [unescapeText((token as Tokens.Codespan).text)] }
      case 'strong':
      case 'em':
      case 'del':
        return { tag: token.type, children: inline((token as Tokens.Strong).tokens) }
      case 'link': {
        const { href, tokens: inner } = token as Tokens.Link
        return { tag: 'a', href, children: inline(inner) }
      }
      case 'br':
        return { tag: 'br', children: [] }
      default:
        return []
    }
  })
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** The parser escapes texts for HTML, which they do not become here. */
function unescapeText(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
}

function plainText(nodes: readonly GuideNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : plainText(node.children))).join('')
}

/** The anchor of a heading, as GitHub makes it: links between the documents use it. */
function toAnchor(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
