import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseBlocks, parseCommands } from './blocks.ts'
import { compareOutput } from './compare-output.ts'
import { LANGUAGE_CHECKS } from './language-checks.ts'
import { REPOSITORY } from './page-world.ts'

/* What `npm run docs:check` is made of, and what can be said of the pages without running their blocks. */

describe('blocks of a page', () => {
  it('have their line, language, text without indentation, and the notes above them', () => {
    const page = [
      '# Title',
      '<!-- check exit: 1 -->',
      '<!-- check before:',
      'echo one',
      '-->',
      '',
      '  ```sh',
      '  marquee nonsense',
      '  ```',
      '',
      '```json',
      '{}',
      '```',
      'Text.',
      '```',
      'a drawing',
      '```',
    ].join('\n')
    expect(parseBlocks('a.md', page)).toEqual([
      {
        page: 'a.md',
        line: 7,
        language: 'sh',
        text: 'marquee nonsense\n',
        followsBlock: false,
        notes: { exit: '1', before: 'echo one' },
      },
      { page: 'a.md', line: 11, language: 'json', text: '{}\n', followsBlock: true, notes: {} },
      { page: 'a.md', line: 15, language: '', text: 'a drawing\n', followsBlock: false, notes: {} },
    ])
    expect(() => parseBlocks('a.md', '<!-- check nonsense: x -->')).toThrow(
      'a.md:1: "nonsense" is not a word of a check',
    )
    expect(() => parseBlocks('a.md', '```sh\n')).toThrow('a.md:1: the block has no end')
  })

  it('split into commands, which may go on in the next line, and their outputs', () => {
    expect(parseCommands('$ curl \\\n    -X PUT\nanswer\n$ true\n')).toEqual([
      { command: 'curl \\\n    -X PUT', output: 'answer\n' },
      { command: 'true', output: '' },
    ])
  })
})

describe('an output that is compared with its page', () => {
  it.each<[shown: string, actual: string, varies?: string[]]>([
    ['age  17 h\n', 'age  3 h  \n'],
    ['at 2026-01-02T03:04:05Z, 2026-01-02 03:04\n', 'at 2027-11-12T13:14:15.678Z, 2027-11-12 13:14\n'],
    ['key mq-…, then\n…\nlast\n', 'key mq-abc, then\none\ntwo\nlast\n'],
    ['first\n…\n', 'first\n'],
    ['12 shows, 7.\n', '95 shows, 8.\n', ['12', '7']],
    ['{"a":[1,"…"],"b":"x…","at":1790000000,"…":0}', '{"a":[1,2,3],"b":"xyz","at":1800000000,"c":true}'],
    ['{ "version": 2 }', '{"version":3}', ['2']],
  ])('%#: is the same but for times, ids and what is left out', (shown, actual, varies) => {
    expect(compareOutput(shown, actual, varies)).toBeUndefined()
  })

  it.each<[shown: string, actual: string, varies?: string[]]>([
    ['2 shows\n', '3 shows\n'],
    ['12 shows, 7\n', '95 shows, 8\n', ['12']],
    ['one\n', 'one\ntwo\n'],
    ['{"a":[1,2]}', '{"a":[1,2,3]}'],
    ['{"a":1}', '{"a":1,"b":2}'],
    ['{"a":1,"b":2}', '{"a":1}'],
    ['{"a":"x…"}', '{"a":"yx"}'],
  ])('%#: differs', (shown, actual, varies) => {
    expect(compareOutput(shown, actual, varies)).toBeDefined()
  })
})

it('every block of the pages can be checked, or says why not', () => {
  const pages = readdirSync(join(REPOSITORY, 'docs')).filter((name) => name.endsWith('.md'))
  for (const page of ['README.md', ...pages.map((name) => `docs/${name}`)]) {
    for (const { line, language, text, notes, followsBlock } of parseBlocks(
      page,
      readFileSync(join(REPOSITORY, page), 'utf8'),
    )) {
      const isOutput = followsBlock || notes.output !== undefined || notes['output-of'] !== undefined
      const isCommand = ['sh', 'console'].includes(language) || text.startsWith('$ ')
      const isChecked = isCommand || isOutput || language in LANGUAGE_CHECKS || (notes.skip ?? '') !== ''
      expect(isChecked, `${page}:${line}: CONTRIBUTING.md describes the notes <!-- check … --> above a block`).toBe(
        true,
      )
    }
  }
})
