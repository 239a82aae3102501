import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseCsv } from 'csv-parse/sync'
import { parse as parseYaml } from 'yaml'
import type { Block } from './blocks.ts'
import type { PageShell, ShellResult } from './page-shell.ts'
import { type PageWorld, REPOSITORY } from './page-world.ts'

/** Checks a block of a language; returns what it printed if it was run, and undefined if it was only parsed. */
type LanguageCheck = (block: Block, world: PageWorld, shell: PageShell) => Promise<ShellResult | undefined>

/** The check of each language that is not a command line. */
export const LANGUAGE_CHECKS: Readonly<Record<string, LanguageCheck>> = {
  json: async ({ text }) => {
    JSON.parse(text)
    return undefined
  },
  jsonl: checkFeedLines,
  csv: async ({ text }) => {
    const widths = new Set(parseCsv(text).map((row: readonly string[]) => row.length))
    if (widths.size !== 1) throw new Error('the rows have different numbers of cells')
    return undefined
  },
  yaml: async ({ text }) => {
    parseYaml(text)
    return undefined
  },
  http: async ({ text }) => checkMessage(text),
  js: (block, world, shell) => runProgram(block, world, shell, 'mjs', 'node'),
  python: (block, world, shell) => runProgram(block, world, shell, 'py', 'python3'),
  ts: checkTypes,
  go: async (block, world, shell) => {
    const file = write(block, world, 'go', `package page\n\nfunc example() {\n${block.text}}\n`)
    await succeed(shell, `gofmt -e ${file} > /dev/null`)
    return undefined
  },
  nginx: checkNginx,
}

/** Lines of a feed: Marquee must take all of them without an error. The prelude has what they refer to. */
async function checkFeedLines(block: Block, world: PageWorld, shell: PageShell): Promise<undefined> {
  const lines = `${block.notes.prelude ?? ''}\n${block.text}`.trim().split('\n')
  for (const line of lines) JSON.parse(line)
  const hasHead = lines.some((line) => line.includes('"kind":"feed"'))
  const head = hasHead ? [] : ['{"kind":"feed","source":"acme","mode":"delta"}']
  const file = write(block, world, 'ndjson', `${[...head, ...lines].join('\n')}\n`)
  await succeed(shell, `npx marquee validate ${file}`, block.notes.exit)
  return undefined
}

/** An HTTP message: a start line, headers, and a body that is JSON but for what is left out. */
function checkMessage(text: string): undefined {
  const [head = '', body = ''] = text.split('\n\n')
  const [start = '', ...headers] = head.split('\n')
  if (!/^([A-Z]+ \S+ HTTP\/1\.1|HTTP\/1\.1 \d{3} .+)$/.test(start)) throw new Error(`"${start}" starts no HTTP message`)
  for (const header of headers) if (!/^[\w-]+: .+$/.test(header)) throw new Error(`"${header}" is no header`)
  JSON.parse(body.replace(/\[…\]/g, '[]').replace(/\{…\}/g, '{}'))
}

async function runProgram(
  block: Block,
  world: PageWorld,
  shell: PageShell,
  extension: string,
  program: string,
): Promise<ShellResult> {
  const file = write(block, world, extension, `${block.notes.prelude ?? ''}\n${world.toLocal(block.text)}`)
  return succeed(shell, `${program} ${file}`)
}

/** Types: the strict settings of the server. Paths of its sources are taken from the repository. */
async function checkTypes(block: Block, world: PageWorld, shell: PageShell): Promise<undefined> {
  const text = block.text
    .replace(/'\.\.\/\.\.\//g, `'${REPOSITORY}/server/src/`)
    .replace(/'\.\.\//g, `'${REPOSITORY}/server/src/connectors/`)
  const file = write(block, world, 'mts', `${block.notes.prelude ?? ''}\n${text}\nexport {}\n`)
  const flags =
    '--noEmit --strict --target es2023 --lib es2024 --module nodenext --types node --skipLibCheck --allowImportingTsExtensions --exactOptionalPropertyTypes'
  await succeed(shell, `node ${REPOSITORY}/node_modules/typescript/bin/tsc ${flags} --ignoreConfig ${file}`)
  return undefined
}

/** nginx itself reads the block, with a certificate and a free port in place of 443. */
async function checkNginx(block: Block, world: PageWorld, shell: PageShell): Promise<undefined> {
  const text = block.text.replace('listen 443 ssl', `listen 127.0.0.1:${world.port + 1} ssl`)
  const [key, certificate] = [join(world.folder, 'key.pem'), join(world.folder, 'certificate.pem')]
  const names = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = names.map((name) => `${name}_temp_path ${world.folder}/nginx-${name};`).join(' ')
  const http = `http { access_log off; ssl_certificate ${certificate}; ssl_certificate_key ${key}; ${temporary}\n${text}}`
  const file = write(block, world, 'conf', `pid ${world.folder}/nginx.pid;\nerror_log stderr;\nevents {}\n${http}\n`)
  await succeed(
    shell,
    `openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=api.example -keyout ${key} -out ${certificate} 2> /dev/null
PATH=$PATH:/usr/sbin nginx -t -q -c ${file}`,
  )
  return undefined
}

function write({ line }: Block, world: PageWorld, extension: string, text: string): string {
  const file = join(world.folder, `line-${line}.${extension}`)
  writeFileSync(file, text)
  return file
}

async function succeed(shell: PageShell, text: string, status = '0'): Promise<ShellResult> {
  const result = await shell.run(text)
  if (String(result.status) !== status)
    throw new Error(`exit ${result.status}: ${`${result.stdout}\n${result.stderr}`.trim().slice(-1_500)}`)
  return result
}
