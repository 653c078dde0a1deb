import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findViolations } from './axe.ts'
import { forEachSizeAndTheme, screenshot } from './browser.ts'
import { findCutOffElements } from './layout-faults.ts'

/** Expects the open page to be accessible and whole in each size and theme, and takes a picture of each. */
export async function checkLooks(page: Page, name: string): Promise<void> {
  await forEachSizeAndTheme(page, async (look, rules) => {
    expect(await findViolations(page, ...rules)).toEqual([])
    expect(await findCutOffElements(page)).toEqual([])
    await screenshot(page, `${name} (${look})`)
  })
}
