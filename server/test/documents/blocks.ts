/** A fenced block of a page, and what comments above it say of how it is checked. */
export interface Block {
  readonly page: string
  /** The line of the opening fence, from 1. */
  readonly line: number
  /** The word after the fence; empty if there is none. */
  readonly language: string
  readonly text: string
  /** Whether nothing but blank lines and comments stand between the block before and this one. */
  readonly followsBlock: boolean
  /** What the comments say, by their word. */
  readonly notes: Readonly<Partial<Record<NoteWord, string>>>
}

/** The words of the comments `<!-- check WORD: TEXT -->` above a block. CONTRIBUTING.md explains each of them. */
const NOTE_WORDS = [
  'skip',
  'before',
  'serves',
  'exit',
  'varies',
  'file',
  'output',
  'output-of',
  'until',
  'prelude',
] as const

type NoteWord = (typeof NOTE_WORDS)[number]

const FENCE = /^( *)```(\w*)$/

/** All fenced blocks of a Markdown page, in order. Throws on a comment that has an unknown word. */
export function parseBlocks(page: string, markdown: string): Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  let notes: Partial<Record<NoteWord, string>> = {}
  let followsBlock = false
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string
    const fence = FENCE.exec(line)
    if (fence !== null) {
      const [, indent = '', language = ''] = fence
      const end = lines.indexOf(`${indent}\`\`\``, i + 1)
      if (end < 0) throw new Error(`${page}:${i + 1}: the block has no end`)
      const text = lines.slice(i + 1, end).map((inner) => `${inner.slice(indent.length)}\n`)
      blocks.push({ page, line: i + 1, language, text: text.join(''), followsBlock, notes })
      notes = {}
      followsBlock = true
      i = end
    } else if (line.trimStart().startsWith('<!-- check ')) {
      const end = lines.findIndex((later, at) => at >= i && later.includes('-->'))
      const comment = lines.slice(i, end + 1).join('\n')
      const [word, text] = parseNote(comment, `${page}:${i + 1}`)
      notes = { ...notes, [word]: text }
      i = end
    } else if (line.trim() !== '') {
      followsBlock = false
      notes = {}
    }
  }
  return blocks
}

function parseNote(comment: string, place: string): [NoteWord, string] {
  const [, word, text = ''] = /<!-- check ([\w-]+)(?::([\s\S]*?))?\s*-->/.exec(comment) ?? []
  const known = NOTE_WORDS.find((known) => known === word)
  if (known === undefined)
    throw new Error(`${place}: "${word}" is not a word of a check; they are ${NOTE_WORDS.join(', ')}`)
  return [known, text.trim()]
}

/** A command of a console block and the output that the page shows. */
export interface ShownCommand {
  readonly command: string
  readonly output: string
}

/** Splits a console block at its prompts. A command goes on in the next line after a backslash. */
export function parseCommands(text: string): ShownCommand[] {
  const commands: { command: string; output: string }[] = []
  let goesOn = false
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const last = commands.at(-1)
    if (goesOn && last !== undefined) last.command += `\n${line}`
    else if (line.startsWith('$ ')) commands.push({ command: line.slice(2), output: '' })
    else if (last !== undefined) last.output += `${line}\n`
    goesOn = (goesOn || line.startsWith('$ ')) && line.endsWith('\\')
  }
  return commands
}
