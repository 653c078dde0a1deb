import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * Runs axe on the page as it is: every rule, or those named.
 * @returns a line for each violation: its rule, and the elements it is about
 */
export const findViolations = (page: Page, ...rules: string[]): Promise<string[]> =>
  findViolationsIn(page, 'html', ...rules)

/** Like `findViolations`, for the part of the page that a CSS selector matches: axe takes half a minute for a long conversation. */
export async function findViolationsIn(page: Page, selector: string, ...rules: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  const within = { selector, only: rules }
  return page.evaluate(async ({ selector: root, only }) => {
    const { axe: engine } = globalThis as unknown as { axe: typeof axe }
    // a menu belongs to its button and needs no landmark
    const regionMatcher = 'dialog, [role=dialog], [role=alertdialog], [role=menu], svg'
    engine.configure({ checks: [{ id: 'region', options: { regionMatcher } }] })
    const { violations } = await engine.run(root === 'html' ? document : root, {
      resultTypes: ['violations'],
      ...(only.length > 0 && { runOnly: only }),
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} – ${failureSummary}`),
    )
  }, within)
}
