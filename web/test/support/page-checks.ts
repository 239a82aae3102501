import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The violations that axe finds on a page, or its contrast violations alone. */
export async function accessibilityViolations(page: Page, what: 'all' | 'contrast' = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(what === 'contrast' && { runOnly: { type: 'rule' as const, values: ['color-contrast'] } }),
  }
  const { violations } = await page.evaluate(
    (wanted) => (window as unknown as { axe: typeof import('axe-core') }).axe.run(wanted),
    options,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3)}`)
}

/** By how many pixels the page scrolls sideways. */
export async function horizontalOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
