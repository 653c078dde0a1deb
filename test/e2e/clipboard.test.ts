/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { waitForReplyEnd, sendMessage, signedInPage } from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { stack } = await scriptedStack('# Energy\n\nThe **energy** is $E = mc^2$ at rest.\n\n- one\n- two')

/** What the clipboard has, by type. */
const readClipboard = (page: Page) =>
  page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const entries = (item?.types ?? []).map(
      async (type) => [type, await (await item?.getType(type))?.text()] as const,
    )
    return Object.fromEntries(await Promise.all(entries)) as Record<string, string | undefined>
  })

it('copies a reply formatted and as Markdown, and a selection with its formula as TeX', async () => {
  const { page } = await signedInPage(stack)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await sendMessage(page, 'What is energy?')
  await waitForReplyEnd(page)
  const reply = page.locator('.is-reply').last()
  await reply.locator('.katex').waitFor()

  await reply.getByRole('button', { name: 'Copy reply' }).click()
  await expect
    .poll(async () => (await readClipboard(page))['text/plain'])
    .toBe('# Energy\n\nThe **energy** is $E = mc^2$ at rest.\n\n- one\n- two')
  const html = (await readClipboard(page))['text/html']
  expect(html).toMatch(/<h1[^>]*>Energy<\/h1>/)
  expect(html).toMatch(/The <strong[^>]*>energy<\/strong> is \$E = mc\^2\$ at rest\./)
  expect(html).not.toContain('katex')

  await reply
    .getByText('at rest.')
    .evaluate((paragraph) =>
      getSelection()?.setBaseAndExtent(paragraph, 0, paragraph, paragraph.childNodes.length),
    )
  await page.keyboard.press('Control+c')
  await expect
    .poll(async () => (await readClipboard(page))['text/plain'])
    .toBe('The energy is $E = mc^2$ at rest.')
  await page.keyboard.press('Control+Shift+Digit9')
  await expect
    .poll(() =>
      page
        .getByRole('textbox', { name: /message/i })
        .last()
        .inputValue(),
    )
    .toBe('> The energy is $E = mc^2$ at rest.\n\n')
})
