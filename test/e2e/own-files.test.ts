/** @module-tag long */
import { expect, it } from 'vitest'
import { expectFailures, screenshot } from '../support/browser.ts'
import { pdf, png } from '../support/document-samples.ts'
import {
  composer,
  openHistory,
  waitForReplyEnd,
  runClockUntil,
  sendMessage,
  signedInPage,
  waitForFocus,
  undoButton,
} from '../support/page-steps.ts'
import type { StackUser } from '../support/stack-user.ts'
import { uploadFile } from '../support/upload.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

/** A user with a conversation that has an image and a document, and a file in no conversation. */
async function userWithFiles() {
  const user = await stack.newUser()
  const [image, manual, notes] = [
    await uploadFile(user, { name: 'beach.png', type: 'image/png', content: png(60, 40) }),
    await uploadFile(user, { name: 'Manual.pdf', type: 'application/pdf', content: pdf('Hello') }),
    await uploadFile(user, { name: 'notes.txt', type: 'text/plain', content: 'hello' }),
  ]
  const sessionId = crypto.randomUUID()
  await user.call('chat.send', {
    body: {
      sessionId,
      messageId: crypto.randomUUID(),
      messages: [{ role: 'user', content: 'A week in Rome', attachments: [image, manual] }],
    },
  })
  return { user, sessionId, ids: { image: image.id, manual: manual.id, notes: notes.id } }
}

const listFileIds = async (user: StackUser) =>
  (await user.call('files.list')).attachments.map(({ id }) => id).toSorted()

it('LIB-18 DATA-05 lists the user’s files with type and conversation; opens, downloads and deletes them', async () => {
  const { user, ids } = await userWithFiles()
  const { page } = await signedInPage(stack, {}, user)
  await page.getByRole('button', { name: /account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Show files' }).click()
  const rows = page.getByRole('list', { name: 'Your files' }).getByRole('listitem')
  await rows.nth(2).waitFor()
  expect(new URL(page.url()).pathname).toBe('/files')
  await page.getByText(/^3 files, by name\. \d+(\.\d)? KB of 5(\.0)? GB used\.$/).waitFor()
  const row = (name: string) => rows.filter({ hasText: name })
  await expect
    .poll(() => row('beach.png').innerText())
    .toMatch(/Image\s*·\s*\d\.\d KB\s*·[\s\S]*20\d\d[\s\S]*In A week in Rome/)
  await expect.poll(() => row('Manual.pdf').innerText()).toMatch(/PDF/)
  await expect.poll(() => row('notes.txt').innerText()).toMatch(/Document[\s\S]*Not used in a chat/)
  await expect
    .poll(() => row('Manual.pdf').getByRole('link', { name: 'Manual.pdf' }).getAttribute('target'))
    .toBe('_blank')
  await screenshot(page, 'own-files')
  await row('beach.png').getByRole('button', { name: 'beach.png', exact: true }).click()
  await page.getByRole('dialog', { name: 'beach.png' }).getByRole('img').waitFor()
  await page.keyboard.press('Escape')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download notes.txt' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('notes.txt')

  const remove = page.getByRole('button', { name: 'Delete notes.txt' })
  const question = page.getByRole('dialog', { name: 'Delete this file?' })
  await remove.click()
  await question.getByText('“notes.txt” will be deleted permanently.').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  await waitForFocus(remove)
  await remove.click()
  expectFailures(page, { url: /\/api\/attachments\//, status: 'network' })
  await page.route('**/api/attachments/*', (route) => route.abort(), { times: 1 })
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await question.getByText(/^The service did not confirm it/).waitFor()
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('File deleted').waitFor()
  await row('notes.txt').waitFor({ state: 'detached' })
  expect(await listFileIds(user)).toEqual([ids.image, ids.manual].toSorted())

  await row('Manual.pdf').getByRole('link', { name: 'A week in Rome' }).click()
  await page.getByRole('button', { name: 'Download Manual.pdf' }).waitFor()
  await composer(page).waitFor()
})

it(
  'HIST-26 a conversation’s files are deleted once its deletion cannot be undone any more',
  { tags: 'trial' },
  async () => {
    const { user, ids } = await userWithFiles()
    const { page } = await signedInPage(stack, {}, user)
    const all = Object.values(ids).toSorted()
    await openHistory(page)
    await page
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click()
    await page.getByText('Chat removed').waitFor()
    await undoButton(page).click()
    await page.getByRole('dialog').getByText('A week in Rome').waitFor()
    await page.getByText('Chat removed').waitFor({ state: 'detached' })
    expect(await listFileIds(user)).toEqual(all)
    await page
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click()
    await page.getByText('Chat removed').waitFor()
    expect(await listFileIds(user)).toEqual(all)
    await page.goto('/files')
    await expect.poll(() => listFileIds(user)).toEqual([ids.notes])
  },
)

it('shows an empty list, a failed load, and fits a phone', { tags: 'trial' }, async () => {
  const { page, user } = await signedInPage(stack, {
    viewport: { width: 320, height: 640 },
    colorScheme: 'dark',
  })
  await page.goto('/files')
  await page.getByText('No files yet').waitFor()
  await screenshot(page, 'own-files-empty')
  expectFailures(page, { url: /\/api\/attachments/, status: 500 })
  await page.route('**/api/attachments?**', (route) =>
    route.fulfill({ status: 500, json: { success: false, error: 'No.', code: 'internal' } }),
  )
  await page.clock.install()
  await page.reload()
  await page.getByRole('progressbar', { name: 'Loading your files' }).waitFor()
  await screenshot(page, 'own-files-loading')
  await runClockUntil(page, () => page.getByText('Your files could not be loaded.').isVisible())
  await screenshot(page, 'own-files-error')
  await page.unroute('**/api/attachments?**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No files yet').waitFor()
  const name = `${'a-very-long-name-'.repeat(8)}.png`
  await uploadFile(user, { name, type: 'image/png', content: png(60, 40) })
  await uploadFile(user, { name: 'مذكرة.txt', type: 'text/plain', content: 'x' })
  await sendMessage(await composerPage(), 'Draw an image of two cups')
  await waitForReplyEnd(page)
  await page.goto('/files')
  await page.getByText('Generated image').waitFor()
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0)
  await screenshot(page, 'own-files-phone')

  async function composerPage() {
    await page.goto('/')
    await composer(page).waitFor()
    return page
  }
})
