/*
 * The JSX runtime of Preact for the server, where it takes the place of `preact`, of `preact/jsx-runtime` and of
 * `preact-render-to-string` (see `vite.render.config.ts`). It writes the same HTML. There, an element has only a type and
 * props: what Preact keeps in one for later renders was a third of what a page allocates.
 */

type Props = Readonly<Record<string, unknown>>
type Component = (props: Props) => unknown

/** An element or a component with its props. */
class ServerNode {
  readonly type: string | Component
  readonly props: Props

  constructor(type: string | Component, props: Props) {
    this.type = type
    this.props = props
  }
}

/** HTML that is there already. */
class ReadyHtml {
  readonly html: string

  constructor(html: string) {
    this.html = html
  }
}

export function jsx(type: string | Component, props: Props): ServerNode {
  return new ServerNode(type, props)
}

export { jsx as jsxs }

export function createElement(type: string | Component, props: Props | null, ...children: unknown[]): ServerNode {
  return new ServerNode(type, { ...props, children })
}

export function jsxTemplate([html = '']: readonly string[]): ReadyHtml {
  return new ReadyHtml(html)
}

export function Fragment({ children }: Props): unknown {
  return children
}

/** The hooks of the server have the only context; see `server-hooks.ts`. */
export function createContext(): { readonly Provider: Component } {
  return { Provider: Fragment }
}

/** Renders what a component can return. `chosen` is the value of the `<select>` around it. */
export function renderToString(node: unknown, chosen?: unknown): string {
  if (typeof node === 'string') return escapeHtml(node)
  if (typeof node === 'number') return String(node)
  if (node instanceof ServerNode) {
    const { type, props } = node
    return typeof type === 'string' ? renderElement(type, props, chosen) : renderToString(type(props), chosen)
  }
  if (Array.isArray(node)) {
    let html = ''
    for (const child of node) html += renderToString(child, chosen)
    return html
  }
  return node instanceof ReadyHtml ? node.html : ''
}

const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

function renderElement(type: string, props: Props, chosen: unknown): string {
  let html = `<${type}`
  let { children } = props
  for (const name in props) {
    const value = props[name]
    if (value === undefined || value === null || typeof value === 'function') continue
    const attribute = attributes.get(name) ?? describeAttribute(name)
    if (attribute === undefined) continue
    if (attribute.name === 'value') {
      if (type === 'textarea') {
        children = value
        continue
      }
      if (type === 'select') {
        chosen = value
        continue
      }
      if (type === 'option' && value === chosen && !('selected' in props)) html += ' selected'
    }
    html += renderAttribute(attribute, value)
  }
  if (VOID_ELEMENTS.has(type)) return `${html}/>`
  return `${html}>${renderToString(children, chosen)}</${type}>`
}

/** How a prop is written as an attribute. */
interface Attribute {
  readonly name: string
  /** All before its value. */
  readonly start: string
  /** Whether `true` and `false` are values, as of `aria-pressed`. */
  readonly isEnumerated: boolean
}

/** By prop; undefined for what is no attribute. The source code names them, so they are few. */
const attributes = new Map<string, Attribute | undefined>([
  ['children', undefined],
  ['key', undefined],
  ['ref', undefined],
])

const RENAMED: Readonly<Record<string, string>> = { defaultValue: 'value', defaultChecked: 'checked' }

/** Attributes of HTML with a capital letter in JSX; those of SVG keep theirs. */
const CAMEL_CASE =
  /^(?:accessK|auto[A-Z]|cell|ch|col|cont|cross|dateT|encT|form[A-Z]|frame|hrefL|inputM|maxL|minL|noV|playsI|popoverT|readO|rowS|src[A-Z]|tabI|useM|item[A-Z])/

function describeAttribute(prop: string): Attribute | undefined {
  if (attributes.has(prop)) return attributes.get(prop)
  if (prop === 'dangerouslySetInnerHTML') throw new Error('Elements of the pages have no HTML of their own')
  const renamed = RENAMED[prop] ?? prop
  const name = CAMEL_CASE.test(renamed) ? renamed.toLowerCase() : renamed
  const attribute = { name, start: ` ${name}="`, isEnumerated: /^(?:aria-|data-|draggable$|spellcheck$)/.test(name) }
  attributes.set(prop, attribute)
  return attribute
}

function renderAttribute({ name, start, isEnumerated }: Attribute, value: unknown): string {
  if (typeof value === 'string') return value === '' ? ` ${name}` : `${start}${escapeHtml(value)}"`
  if (typeof value === 'boolean' && !isEnumerated) return value ? ` ${name}` : ''
  return `${start}${escapeHtml(name === 'style' ? formatStyle(value as object) : String(value))}"`
}

function formatStyle(style: object): string {
  return Object.entries(style)
    .map(([name, value]) => `${name}:${value};`)
    .join('')
}

const SPECIAL = /["&<]/

function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
