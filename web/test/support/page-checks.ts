import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const PHONE = { width: 360, height: 740 }
export const DESK = { width: 1280, height: 900 }

/** The violations that axe finds on a page. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const options: RunOptions = { resultTypes: ['violations'] }
  const { violations } = await page.evaluate(
    (wanted) => (window as unknown as { axe: typeof import('axe-core') }).axe.run(wanted),
    options,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3)}`)
}

/**
 * Checks a page on phone and desk, in one colour scheme each: what lies where depends on the width alone, and colours depend
 * on the scheme alone. Pages with even and odd numbers have the opposite pairs, so what all pages share is seen in all four.
 * Returns the violations, and the widths at which the page scrolls sideways.
 */
export async function findPageFaults(page: Page, number: number): Promise<string[]> {
  const faults: string[] = []
  const schemes = number % 2 === 0 ? (['light', 'dark'] as const) : (['dark', 'light'] as const)
  for (const [i, viewport] of [PHONE, DESK].entries()) {
    const colorScheme = schemes[i] as 'light' | 'dark'
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const where = `${colorScheme} at ${viewport.width} px`
    faults.push(...(await accessibilityViolations(page)).map((violation) => `${where}: ${violation}`))
    const overflow = await horizontalOverflow(page)
    if (overflow !== 0) faults.push(`${where}: scrolls sideways by ${overflow} px`)
  }
  return faults
}

/** By how many pixels the page scrolls sideways. */
export async function horizontalOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
