import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseGuide } from '../../build/markdown-guides.ts'
import { GUIDE_PATHS, GUIDES, guideLink, guideSections } from './guide.ts'
import { searchReference } from './search-reference.ts'

const docs = new URL('../../../docs/', import.meta.url)

it('turns Markdown into elements, without markup of its own', () => {
  const { title, nodes } = parseGuide('# A *title*\n\n## It & more\n\nSee `a < b`, [x](errors.md#y) <b>bold</b>.\n')
  expect(title).toBe('A title')
  expect(nodes).toEqual([
    { tag: 'h2', id: 'it--more', children: ['It & more'] },
    {
      tag: 'p',
      children: [
        'See ',
        { tag: 'code', children: ['a < b'] },
        ', ',
        { tag: 'a', href: 'errors.md#y', children: ['x'] },
        ' ',
        'bold',
        '.',
      ],
    },
  ])
})

it('leads from guide to guide, and nowhere from files that are no pages', () => {
  expect(guideLink('errors.md#codes')).toBe('/docs/guides/errors#codes')
  expect(guideLink('https://example.com/')).toBe('https://example.com/')
  expect(guideLink('../client/README.md')).toBeUndefined()
  expect(guideLink('javascript:alert(1)')).toBeUndefined()
})

it('finds what the guides of this repository say, and their links to sections lead to one', () => {
  const guides = GUIDE_PATHS.map((path) => ({ path, text: readFileSync(new URL(GUIDES[path].file, docs), 'utf8') }))
  const sections = guides.flatMap(({ path, text }) =>
    guideSections(parseGuide(text)).map(({ title, id, text: body }) => ({
      title,
      place: path,
      href: `${path}#${id}`,
      text: body,
    })),
  )
  expect(searchReference(sections, 'moving from')[0]).toMatchObject({ title: 'Moving from the public service' })
  expect(searchReference(sections, 'standard webhooks').length).toBeGreaterThan(0)
  expect(searchReference(sections, 'qqqqzzzz')).toEqual([])
  const anchors = new Set(sections.map(({ href }) => href))
  for (const { text } of guides) {
    for (const [, href = ''] of text.matchAll(/\]\(([\w-]+\.md#[^)]+)\)/g)) {
      const link = guideLink(href)
      if (link !== undefined) expect(anchors).toContain(link)
    }
  }
})
