import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { forEachSizeAndTheme, screenshot, takeProblems } from '../support/browser.ts'
import { waitForReplyEnd, sendMessage, sharePage, signedInPage } from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()
const sharedPage = sharePage(() => signedInPage(stack))

const echoDiagram = (source: string) => `/echo \`\`\`mermaid\n${source}\n\`\`\``
const flow = 'flowchart LR\n  ask[Ask] --> read[Read the document] --> answer[Answer]'

const drawing = (page: Page) => page.frameLocator('iframe[title="Diagram"]').locator('svg')

it('a diagram is drawn, and its code can be shown with the keyboard', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  await sendMessage(page, echoDiagram(flow))
  await waitForReplyEnd(page)
  await drawing(page).getByText('Read the document').waitFor()

  const code = page.getByRole('group', { name: 'Mermaid' })
  await expect.poll(() => code.count()).toBe(0)
  await forEachSizeAndTheme(page, async (look, rules) => {
    await screenshot(page, `diagram-${look}`)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    expect(await findViolations(page, ...rules)).toEqual([])
  })

  const toggle = page.getByRole('button', { name: 'Show code' })
  await toggle.focus()
  await page.keyboard.press('Enter')
  await page.getByText('ask[Ask] --> read[Read the document]').last().waitFor()
  await expect.poll(() => toggle.getAttribute('aria-pressed')).toBe('true')
  expect(await page.locator('iframe[title="Diagram"]').isVisible()).toBe(false)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('iframe[title="Diagram"]').isVisible()).toBe(true)

  // the drawing follows the theme
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect
      .poll(() => page.frameLocator('iframe[title="Diagram"]').locator('html').getAttribute('style'))
      .toContain(colorScheme)
  }
})

it('the diagram’s frame has no origin: it reaches neither the page nor its storage nor the network', async () => {
  const { page } = await sharedPage()
  await sendMessage(page, echoDiagram(flow))
  await waitForReplyEnd(page)
  await drawing(page).waitFor()
  const frame = page.frames().find((each) => each.url().includes('/diagram/'))
  const attempts = await frame?.evaluate(async () => {
    const attempt = async (action: () => unknown) => {
      try {
        await action()
        return 'worked'
      } catch (error) {
        return (error as Error).name
      }
    }
    return {
      origin: globalThis.origin,
      page: await attempt(() => parent.document.title),
      storage: await attempt(() => localStorage.length),
      network: await attempt(() => fetch('/config.json')),
    }
  })
  expect(attempts).toEqual({
    origin: 'null',
    page: 'SecurityError',
    storage: 'SecurityError',
    network: 'TypeError',
  })
  // the browser's last message about the refused request
  const problems: string[] = []
  await expect
    .poll(() => {
      problems.push(...takeProblems(page))
      return problems.join('\n')
    })
    .toContain('The content security policy refused')
})

it('an invalid diagram stays code, with its line and what is wrong there', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  await sendMessage(page, echoDiagram('flowchart LR\n%% a note\n  this is --> --> not a diagram {{'))
  await waitForReplyEnd(page)
  await page.getByText('This diagram could not be drawn.').waitFor()
  await page.getByText(/^In line 3, “.+” is not expected:$/).waitFor()
  await page.getByRole('group', { name: 'Mermaid' }).getByText('not a diagram').waitFor()
  await screenshot(page, 'diagram-invalid')
  expect(await page.getByRole('button', { name: 'Show code' }).count()).toBe(0)
})

it('labels with brackets are drawn, without a language too', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  await sendMessage(page, '/echo ```\ngraph TD\n  A[Begin (now)] -->|read(x)| B{Ready (or not)?}\n```')
  await waitForReplyEnd(page)
  for (const label of ['Begin (now)', 'read(x)', 'Ready (or not)?'])
    await drawing(page).getByText(label).last().waitFor()
})

it('draws other types of diagrams, whose code is loaded on demand', { tags: 'trial' }, async () => {
  const { page } = await sharedPage()
  for (const source of [
    'sequenceDiagram\n  Ann->>Bob: Hello',
    'pie\n  "Rain" : 3\n  "Sun" : 4',
    'gantt\n  section One\n  Plan :2026-01-01, 3d',
  ]) {
    await page.keyboard.press('Control+Shift+O')
    await drawing(page).waitFor({ state: 'detached' })
    await sendMessage(page, echoDiagram(source))
    await waitForReplyEnd(page)
    await drawing(page).waitFor()
    await page.getByRole('button', { name: 'Show code' }).waitFor()
  }
})
