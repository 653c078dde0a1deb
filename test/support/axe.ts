import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * Runs axe on the page as it is: every rule, or those named. And finds what Tab meets between two text fields of a form.
 * @returns a line for each violation: its rule, and the elements it is about
 */
export const findViolations = (page: Page, ...rules: string[]): Promise<string[]> =>
  findViolationsIn(page, 'html', ...rules)

/** Like `findViolations`, for the part of the page that a CSS selector matches: axe takes half a minute for a long conversation. */
export async function findViolationsIn(page: Page, selector: string, ...rules: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  const within = { selector, only: rules }
  const violations = await page.evaluate(async ({ selector: root, only }) => {
    const { axe: engine } = globalThis as unknown as { axe: typeof axe }
    // menus and tooltips belong to their buttons and need no landmark
    const regionMatcher = 'dialog, [role=dialog], [role=alertdialog], [role=menu], [role=tooltip], svg'
    engine.configure({ checks: [{ id: 'region', options: { regionMatcher } }] })
    const { violations } = await engine.run(root === 'html' ? document : root, {
      resultTypes: ['violations'],
      ...(only.length > 0 && { runOnly: only }),
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} – ${failureSummary}`),
    )
  }, within)
  return [...violations, ...(await page.evaluate(findBetweenFields))]
}

/** In the page: the buttons and links that stand in the document between two text fields of a form or card. */
function findBetweenFields(): string[] {
  const isTextField = (element: Element) =>
    element.matches('textarea, select, input:not([type=checkbox], [type=radio], [type=file], [type=range])')
  return [...document.querySelectorAll('form, section[role=group]')].flatMap((form) => {
    const stops = [
      ...form.querySelectorAll<HTMLElement>('input, textarea, select, button, a[href], summary, [tabindex]'),
    ].filter((element) => element.tabIndex >= 0 && element.checkVisibility())
    const first = stops.findIndex(isTextField)
    if (first === -1) return []
    return stops
      .slice(first, stops.findLastIndex(isTextField))
      .filter((element) => !element.matches('input, textarea, select'))
      .map((element) => `between-fields: ${element.getAttribute('aria-label') ?? element.textContent}`)
  })
}
