/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { expectFailures, forEachSizeAndTheme, screenshot, takeProblems } from '../support/browser.ts'
import {
  composer,
  openHistory,
  waitForReplyEnd,
  sendMessage,
  signedInPage,
  waitForFocus,
} from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

/* A part of the page that throws is replaced in its place; everything else stays usable. */

const stack = await demoStack()

/** Replaces a part's component by one that throws until `globalThis.fixed` is set. @param fixedResult what it returns then, as source code */
const breakPart = (page: Page, file: string, component: string, fixedResult = 'null') =>
  page.route(`**/assets/${file}-*.js`, async (route) => {
    const source = await (await route.fetch()).text()
    // a file with several modules exports each under a short name, with its components as properties
    const names = source.slice(source.lastIndexOf('export{') + 7).matchAll(/(\w+)[,}]/g)
    await route.fulfill({
      contentType: 'text/javascript',
      body: `const part = (props) => {
        if (!globalThis.fixed && (props.text ?? 'breaks').includes('breaks') && props.open !== false) throw new Error('a part broke')
        return ${fixedResult}
      }
      part.${component} = part
      export { ${[...names].map(([, name]) => `part as ${name}`).join(', ')} }`,
    })
  })
const fixPart = (page: Page) => page.evaluate(() => Object.assign(globalThis, { fixed: true }))

/** The errors of the page: React writes a caught error to the console. */
function expectReportedOnce(page: Page) {
  const problems = takeProblems(page)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^console: .*a part broke/)
}

it('a crashed page still allows navigating to the others', async () => {
  const { page } = await signedInPage(stack)
  await breakPart(page, 'settings-screen', 'SettingsScreen', '"Fixed settings"')
  await page.goto('/settings')
  const alert = page.getByRole('alert').filter({ hasText: 'This page stopped working.' })
  await alert.waitFor()
  expectReportedOnce(page)
  await page.getByRole('banner').getByRole('link', { name: 'Juno' }).waitFor()
  await forEachSizeAndTheme(page, async (look, rules) => {
    await screenshot(page, `broken-page-${look}`)
    expect(await findViolations(page, ...rules)).toEqual([])
  })
  await fixPart(page)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Fixed settings').waitFor()
})

it('code that failed to load is loaded with a reload: on request, or when the browser is online again', async () => {
  const { page } = await signedInPage(stack, { isFirst: true })
  const missing = /\/assets\/(settings-screen|files-page)-.*\.js$/
  expectFailures(page, { url: missing, status: 'network' }, { url: /\/api\//, status: 'network' })
  await page.route(missing, (route) => route.abort())
  await page.getByRole('button', { name: /account menu/i }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'This page could not be loaded.' })
  await alert.waitFor()
  await page.unrouteAll()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('What should Juno call you?').waitFor()
  takeProblems(page)

  const showFiles = page.getByRole('button', { name: 'Show files' })
  await showFiles.waitFor()
  await page.context().setOffline(true)
  await showFiles.click()
  await alert.waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Your files' }).waitFor()
  takeProblems(page)
})

it('a crashed dialog and a crashed panel can be closed', { tags: 'trial' }, async () => {
  const { page } = await signedInPage(stack)
  await breakPart(page, 'shortcuts-dialog', 'ShortcutsDialog')
  const failure = page.getByRole('dialog', { name: 'Error' })
  await page.getByRole('button', { name: /account menu/i }).click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await failure.getByText('This part stopped working.').waitFor()
  expectReportedOnce(page)
  await forEachSizeAndTheme(page, async (look, rules) => {
    await screenshot(page, `broken-dialog-${look}`)
    expect(await findViolations(page, ...rules)).toEqual([])
  })
  await waitForFocus(failure.getByRole('button', { name: 'Try again' }))
  await page.keyboard.press('Escape')
  await failure.waitFor({ state: 'detached' })

  await page.reload()
  await breakPart(page, 'conversation-panel', 'ConversationPanel')
  await composer(page).fill('What I wrote')
  await openHistory(page)
  await failure.waitFor()
  expectReportedOnce(page)
  await failure.getByRole('button', { name: 'Close' }).click()
  await failure.waitFor({ state: 'detached' })
  await expect.poll(() => composer(page).inputValue()).toBe('What I wrote')
  // it opens again once it works
  await openHistory(page)
  await failure.waitFor()
  expectReportedOnce(page)
  await fixPart(page)
  await failure.getByRole('button', { name: 'Try again' }).click()
  await failure.waitFor({ state: 'detached' })
})

it('a message that cannot be rendered is shown as plain text', { tags: 'trial' }, async () => {
  const { page } = await signedInPage(stack)
  await breakPart(page, 'markdown', 'Markdown', 'props.text')
  await page.reload()
  await sendMessage(page, '/echo All is **well**.')
  await waitForReplyEnd(page)
  await page.getByText('All is **well**.').waitFor()
  await sendMessage(page, '/echo This **breaks**.')
  await waitForReplyEnd(page)
  const note = page.getByRole('note').filter({ hasText: 'this message is shown as plain text' })
  await note.waitFor()
  await page.getByText('This **breaks**.', { exact: true }).waitFor()
  await page.getByText('All is **well**.').waitFor()
  // once while it was written, and once when it was finished
  const problems = takeProblems(page)
  expect(problems.length).toBeGreaterThan(0)
  expect(problems.length).toBeLessThanOrEqual(2)
  await forEachSizeAndTheme(page, async (look, rules) => {
    await screenshot(page, `broken-message-${look}`)
    expect(await findViolations(page, ...rules)).toEqual([])
  })
  await fixPart(page)
  await note.getByRole('button', { name: 'Try again' }).click()
  await note.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Copy reply' }).last().waitFor()
  await sendMessage(page, '/echo It goes on.')
  await page.getByText('It goes on.').last().waitFor()
  await waitForReplyEnd(page)
})
