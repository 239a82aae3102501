import type { Operation, Parameter } from './openapi.ts'

/** The values in a code example. */
interface SnippetValues {
  /** The base URL of the service. */
  readonly base: string
  readonly key: string
  readonly showId: string
  readonly country: string
}

/** Commands for a terminal, and a program. */
interface Snippet {
  readonly shell: string
  readonly program?: { readonly file: string; readonly text: string; readonly run: string }
}

export const SNIPPET_LANGUAGES = ['curl', 'TypeScript', 'Python', 'Go'] as const
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]

/** The example in a programming language. Programs read URL and key from the environment: secrets do not belong in code. */
export function codeSnippet(language: SnippetLanguage, values: SnippetValues): Snippet {
  if (language === 'curl') {
    const { base, key, showId, country } = values
    return { shell: curlCommand(`${base}/shows/${showId}?country=${country}`, key) }
  }
  if (language === 'Python') return python(values)
  return language === 'TypeScript' ? typeScript(values) : go(values)
}

function environment({ base, key }: SnippetValues): string {
  return `export MARQUEE_URL=${base}\nexport MARQUEE_KEY=${key}`
}

function typeScript(values: SnippetValues): Snippet {
  return {
    shell: `${environment(values)}\nnpm install ${new URL(values.base).origin}/clients/marquee-client.tgz`,
    program: {
      file: 'first.mjs',
      run: 'node first.mjs',
      text: `import { Marquee, offersIn } from 'marquee-client'

const marquee = new Marquee({
  apiKey: process.env.MARQUEE_KEY,
  baseUrl: process.env.MARQUEE_URL,
})

const show = await marquee.shows.get('${values.showId}', { country: '${values.country}' })
console.log(\`\${show.title} can be watched on\`)
for (const { service, type, link } of offersIn(show, '${values.country}')) {
  console.log(\`  \${service.name} (\${type}): \${link}\`)
}
`,
    },
  }
}

function python(values: SnippetValues): Snippet {
  const { origin, protocol, hostname } = new URL(values.base)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  // pip refuses other hosts without TLS, unless they are named.
  const trust = protocol === 'http:' && !isLocal ? ` --trusted-host ${hostname}` : ''
  return {
    shell: `${environment(values)}\npip install --index-url ${origin}/clients/${trust} marquee-client`,
    program: {
      file: 'first.py',
      run: 'python3 first.py',
      text: `import os

from marquee_client import Client, offers_in

client = Client(os.environ["MARQUEE_KEY"], base_url=os.environ["MARQUEE_URL"])

show = client.get_show("${values.showId}", country="${values.country}")
print(show["title"], "can be watched on")
for offer in offers_in(show, "${values.country}"):
    print(f"  {offer['service']['name']} ({offer['type']}): {offer['link']}")
`,
    },
  }
}

function go(values: SnippetValues): Snippet {
  const module = 'github.com/marquee-catalog/marquee/marquee'
  return {
    // The service is a module proxy for this one module, which the public checksum database does not know.
    shell: `${environment(values)}
go mod init first
GOPROXY=${new URL(values.base).origin}/clients/go GONOSUMDB=${module} go get ${module}@latest`,
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
	show, err := client.GetShow(context.Background(), "${values.showId}", marquee.GetShowParams{Country: "${values.country}"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s can be watched on\\n", show.Title)
	for _, offer := range show.StreamingOptions.In("${values.country}") {
		fmt.Printf("  %s (%s): %s\\n", offer.Service.Name, offer.Type, offer.Link)
	}
}
`,
    },
  }
}

/** Form values by parameter; empty ones are left out. */
export type ParameterValues = Readonly<Record<string, string>>

/** Path and query string of a request, below the base URL. */
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

/** The initial value of a form field: the example for a required parameter, else empty. */
export function initialValue({ required, example }: Parameter): string {
  return required && example !== undefined ? String(example) : ''
}

/** A request as a curl command, with options that end in a space. */
export function curlCommand(url: string, key: string, options = ''): string {
  return `curl ${options}-H 'X-API-Key: ${key}' \\
  '${url.replaceAll("'", '%27')}'`
}
