import { inkOn } from './logo.ts'
import type { DemoBrand } from './services.ts'
import { escapeXml } from './svg-text.ts'

/** What a link of the demo leads to: a show, or a season or an episode of it. */
export interface WatchSubject {
  readonly id: string
  readonly title: string
  readonly season?: string
  readonly episode?: string
  readonly isVideo: boolean
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' })

const STYLE =
  ':root{color-scheme:light dark;--bg:#f4f2ee;--card:#fff;--ink:#1b1b20;--soft:#66656e;--line:#e3e0da}' +
  '@media(prefers-color-scheme:dark){:root{--bg:#121216;--card:#1d1d23;--ink:#f2f1ee;--soft:#a3a2ad;--line:#303038}}' +
  '*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--bg);' +
  "color:var(--ink);font:16px/1.55 Inter,'Helvetica Neue',Arial,'Noto Sans',sans-serif}" +
  'main{width:100%;max-width:520px;background:var(--card);border:1px solid var(--line);border-radius:20px;overflow:hidden;box-shadow:0 18px 50px rgb(0 0 0/.12)}' +
  'header{padding:22px 28px;display:flex;align-items:center;justify-content:space-between;gap:16px;font-weight:700;font-size:20px}' +
  'header small{font-weight:600;font-size:13px;opacity:.85}' +
  'section{padding:26px 28px 30px}h1{margin:0 0 4px;font-size:30px;line-height:1.2;overflow-wrap:anywhere}' +
  'p{margin:0;color:var(--soft)}.part{font-weight:600}.note{margin-top:22px;padding-top:18px;border-top:1px solid var(--line)}'

/** The page behind the demo's links: it says plainly that the link is invented. */
export function watchPage(brand: DemoBrand, country?: string, subject?: WatchSubject): string {
  const name = escapeXml(brand.name)
  const place = country === undefined ? '' : escapeXml(countryNames.of(country.toUpperCase()) ?? country)
  const through = brand.through === undefined ? place : `through ${escapeXml(brand.through)}`
  const title = subject === undefined ? name : escapeXml(subject.title)
  const part = subject === undefined ? '' : partOf(subject)
  const what = subject === undefined ? 'home page' : subject.isVideo ? 'video link' : 'link'
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<meta name="robots" content="noindex"><title>${title} · ${name} · demo</title><style>${STYLE}</style></head><body><main>` +
    `<header style="background:${brand.color};color:${inkOn(brand.color)}"><span>${name}</span><small>${through}</small></header>` +
    `<section><h1>${title}</h1>${part === '' ? '' : `<p class="part">${part}</p>`}` +
    `<p class="note">This is an invented ${what} of the demo catalog, whose availability says nothing about the real one. Nothing can be watched here, and this page does not belong to ${name}.</p>` +
    '</section></main></body></html>'
  )
}

function partOf({ season, episode }: WatchSubject): string {
  if (season === undefined) return ''
  return episode === undefined ? `Season ${season}` : `Season ${season}, episode ${episode}`
}
