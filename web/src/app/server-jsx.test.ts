import { Fragment as PreactFragment, jsx as preactJsx } from 'preact/jsx-runtime'
import { renderToString as renderByPreact } from 'preact-render-to-string'
import { expect, it } from 'vitest'
import { createContext, createElement, Fragment, jsx, jsxTemplate, renderToString } from './server-jsx.ts'

type Create = (type: unknown, props: Record<string, unknown>) => unknown

const Row = ({ name, children }: { name: string; children?: unknown }) => [name, ': ', children]
const Nothing = () => null

/** Elements by what is special about them, made with either runtime. */
const SAMPLES: readonly (readonly [string, (create: Create, fragment: unknown) => unknown])[] = [
  ['text', (create) => create('p', { class: 'soft', children: ['a < b & "c" > \'d\'', 0, ' ', 1.5, true, null] })],
  ['nothing', (create) => create('p', { children: [undefined, false, '', [], () => 'x', create(Nothing, {})] })],
  ['lists', (create) => create('ul', { children: [['a', 'b'].map((text) => create('li', { children: text })), 'c'] })],
  ['components', (create) => create(Row, { name: '<', children: create(Row, { name: 'inner' }) })],
  [
    'fragments',
    (create, fragment) => create('p', { children: create(fragment, { children: ['a', create('b', {})] }) }),
  ],
  ['void elements', (create) => create('p', { children: [create('br', {}), create('img', { src: '/a', alt: '' })] })],
  ['empty elements', (create) => [create('p', {}), create('div', { id: 'x', hidden: true })]],
  ['flags', (create) => create('input', { checked: true, disabled: false, readOnly: true, required: undefined })],
  ['enumerated', (create) => create('a', { 'aria-pressed': false, 'aria-busy': true, 'data-x': 1, spellcheck: false })],
  ['values that are no attributes', (create) => create('a', { key: 'k', ref: {}, onClick: () => {}, title: null })],
  [
    'names',
    (create) => create('td', { colSpan: 2, tabIndex: -1, inputMode: 'text', maxLength: 3, autocomplete: 'off' }),
  ],
  ['escapes', (create) => create('a', { href: '/x?a=1&b="<>\'', title: 'é ★' })],
  ['styles', (create) => create('i', { style: { '--share': '4%', color: 'red' } })],
  ['defaults', (create) => create('input', { defaultValue: 'a', defaultChecked: true })],
  ['a text area', (create) => create('textarea', { value: '<b>', rows: 2 })],
  [
    'a choice',
    (create) =>
      create('select', {
        name: 'n',
        value: 'b',
        children: [
          ...['a', 'b'].map((value) => create('option', { value, children: value })),
          create(Row, { name: 'c', children: create('option', { value: 'b', lang: 'b' }) }),
          create('option', { value: 'b', selected: false }),
        ],
      }),
  ],
  [
    'drawings',
    (create) =>
      create('svg', {
        viewBox: '0 0 1 1',
        preserveAspectRatio: 'none',
        children: [
          create('path', { d: 'M0 0', 'stroke-width': 2, fill: 'none' }),
          create('pattern', { patternUnits: 'userSpaceOnUse', children: create('rect', { width: 1.5 }) }),
        ],
      }),
  ],
]

it.each(SAMPLES)('writes the HTML that Preact writes: %s', (_name, make) => {
  const byPreact = make(preactJsx as Create, PreactFragment)
  const html = renderToString(make(jsx as Create, Fragment))
  expect(html).toBe(renderByPreact(preactJsx(PreactFragment, { children: byPreact as never })))
})

it('takes the children of createElement, a context and HTML as they are', () => {
  const { Provider } = createContext()
  const node = createElement('p', { id: 'x' }, 'a', jsxTemplate(['<b>b</b>']))
  expect(renderToString(jsx(Provider, { value: 1, children: node }))).toBe('<p id="x">a<b>b</b></p>')
})
