import type { Operation, Parameter } from './openapi.ts'

/** What the examples of the first minute are made of. */
export interface SnippetFacts {
  /** The base address of the service. */
  readonly base: string
  readonly key: string
  readonly showId: string
  readonly country: string
}

/** What is pasted into a terminal, and the program that goes with it. */
export interface Snippet {
  readonly shell: string
  readonly program?: { readonly file: string; readonly text: string; readonly run: string }
}

export const SNIPPET_LANGUAGES = ['curl', 'TypeScript', 'Go'] as const
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]

/** The example in a language. Programs read address and key from the environment: secrets do not belong in source. */
export function codeSnippet(language: SnippetLanguage, facts: SnippetFacts): Snippet {
  if (language === 'curl') {
    const { base, key, showId, country } = facts
    return { shell: curlCommand(`${base}/shows/${showId}?country=${country}`, key) }
  }
  return language === 'TypeScript' ? typeScript(facts) : go(facts)
}

function environment({ base, key }: SnippetFacts): string {
  return `export MARQUEE_URL=${base}\nexport MARQUEE_KEY=${key}`
}

function typeScript(facts: SnippetFacts): Snippet {
  return {
    shell: `${environment(facts)}\nnpm install "$MARQUEE_CLONE/client"`,
    program: {
      file: 'first.mjs',
      run: 'node first.mjs',
      text: `import { Marquee, offersIn } from 'marquee-client'

const marquee = new Marquee({
  apiKey: process.env.MARQUEE_KEY,
  baseUrl: process.env.MARQUEE_URL,
})

const show = await marquee.shows.get('${facts.showId}', { country: '${facts.country}' })
console.log(\`\${show.title} can be watched on\`)
for (const { service, type, link } of offersIn(show, '${facts.country}')) {
  console.log(\`  \${service.name} (\${type}): \${link}\`)
}
`,
    },
  }
}

function go(facts: SnippetFacts): Snippet {
  const module = 'github.com/marquee-catalog/marquee/marquee'
  return {
    shell: `${environment(facts)}
go mod init first
go mod edit -require ${module}@v0.0.0
go mod edit -replace ${module}="$MARQUEE_CLONE/marquee"`,
    program: {
      file: 'main.go',
      run: 'go run .',
      text: `package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"${module}"
)

func main() {
	client, err := marquee.New(os.Getenv("MARQUEE_KEY"), marquee.WithBaseURL(os.Getenv("MARQUEE_URL")))
	if err != nil {
		log.Fatal(err)
	}
	show, err := client.GetShow(context.Background(), "${facts.showId}", marquee.GetShowParams{Country: "${facts.country}"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s can be watched on\\n", show.Title)
	for _, offer := range show.StreamingOptions.In("${facts.country}") {
		fmt.Printf("  %s (%s): %s\\n", offer.Service.Name, offer.Type, offer.Link)
	}
}
`,
    },
  }
}

/** What was typed, by parameter; empty texts are left out. */
export type ParameterValues = Readonly<Record<string, string>>

/** The path and query of a request for an operation, below the base address. */
export function requestUrl(path: string, { parameters = [] }: Operation, values: ParameterValues): string {
  let filled = path
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters) {
    const value = values[name]?.trim() ?? ''
    if (place === 'path') filled = filled.replace(`{${name}}`, () => encodeURIComponent(value))
    else if (value !== '') query.set(name, value)
  }
  const search = query.toString().replaceAll('%2C', ',')
  return search === '' ? filled : `${filled}?${search}`
}

/** What a form starts with: something that works for what is required, and nothing for the rest. */
export function initialValue({ required, example }: Parameter): string {
  return required && example !== undefined ? String(example) : ''
}

/** A request for the shell. */
export function curlCommand(url: string, key: string): string {
  return `curl -H 'X-API-Key: ${key}' \\
  '${url.replaceAll("'", '%27')}'`
}
