import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * Runs axe on the page as it is: every rule, or those named.
 * @returns a line for each finding: its rule, and the elements it is about
 */
export async function findings(page: Page, ...rules: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async (only) => {
    const { axe: engine } = globalThis as unknown as { axe: typeof axe }
    // a menu belongs to its button, wherever it is drawn: to no landmark
    const regionMatcher = 'dialog, [role=dialog], [role=alertdialog], [role=menu], svg'
    engine.configure({ checks: [{ id: 'region', options: { regionMatcher } }] })
    const { violations } = await engine.run(document, {
      resultTypes: ['violations'],
      ...(only.length > 0 && { runOnly: only }),
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} – ${failureSummary}`),
    )
  }, rules)
}
