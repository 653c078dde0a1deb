/** @module-tag long */
import { afterAll, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { expectFailures, forEachSizeAndTheme, newPage, screenshot } from '../support/browser.ts'
import { grantAdmin } from '../support/grant-admin.ts'
import { startStack } from '../support/local-stack.ts'
import { composer, sendMessage, signedInPage, waitForReplyEnd } from '../support/page-steps.ts'
import { settled } from '../support/settled.ts'

const stack = await startStack()
afterAll(() => stack.stop())

const stopped = 'An administrator has stopped all replies.'

it('an administrator sets a notice and stops all replies, everybody sees both, and replies go on after a reset', async () => {
  const user = await stack.newUser()
  await grantAdmin(stack, user.email)
  const { page } = await signedInPage(stack, {}, user)
  await page.goto('/admin/site')
  await page.getByLabel('Text').fill('On Saturday we are updating.')
  await page.getByLabel('Kind of the notice').selectOption('Warning')
  await page.getByRole('textbox', { name: 'Each person, per day' }).fill('many')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByText('Please enter a whole number').waitFor()
  await page.getByRole('textbox', { name: 'Each person, per day' }).fill('400,000')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByRole('button', { name: 'Save Changes' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Stop all replies' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop all replies' }).click()
  await page.getByRole('region', { name: 'Replies are stopped' }).getByText(user.email).waitFor()
  await forEachSizeAndTheme(page, async (look, rules) => {
    expect(await findViolations(page, ...rules)).toEqual([])
    await screenshot(page, `admin-site-${look}`, { fullPage: true })
  })

  // functions read the settings twice a minute; the open page may ask meanwhile
  expectFailures(page, { url: /\/api\//, status: 'network' })
  await stack.restart()
  const visitor = await newPage({ baseURL: stack.origin })
  await visitor.goto('/auth')
  await visitor.getByText('On Saturday we are updating.').waitFor()
  await visitor.getByText(stopped).waitFor()
  const { page: member } = await signedInPage(stack)
  expectFailures(member, { url: /chat-openai$/, status: 503 }, { url: /\/api\/sessions\//, status: 404 })
  await member.getByText('On Saturday we are updating.').waitFor()
  await expect.poll(() => member.getByText(stopped).count()).toBe(2)
  await sendMessage(member, 'Hello')
  await expect.poll(() => member.getByText(stopped).count()).toBeGreaterThan(2)
  await screenshot(member, 'site-stopped')

  await page.reload()
  await page.getByRole('button', { name: 'Start again' }).click()
  await page.getByRole('button', { name: 'Stop all replies' }).waitFor()
  await page.getByRole('button', { name: 'Reset: Notice' }).click()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.getByRole('button', { name: 'Save Changes' }).waitFor({ state: 'detached' })
  // a page asks by itself, also while the service starts
  for (const each of [page, member]) {
    // parts of a page could not be loaded then
    await settled(each)
    expectFailures(each, { url: /\/api\/waiting$/, status: 'network' })
  }
  await stack.restart()
  await member.reload()
  await composer(member).waitFor()
  await sendMessage(member, 'Hello again')
  await waitForReplyEnd(member)
  expect(await member.getByText('On Saturday we are updating.').count()).toBe(0)
})
