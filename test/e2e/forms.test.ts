import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolationsIn } from '../support/axe.ts'
import { newPage } from '../support/browser.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { grantAdmin } from '../support/grant-admin.ts'
import { card, openCatalogue, toast } from '../support/integration-steps.ts'
import {
  composer,
  sendMessage,
  signedInPage,
  submitSignIn,
  typeThrough,
  waitForFocus,
  waitForReplyEnd,
} from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

/** Forms are filled as people do it: the first field is clicked or has the focus, then only keys are pressed, in order. */

const stack = await demoStack()

const expectNothingBetweenFields = async (page: Page) =>
  expect(
    (await findViolationsIn(page, 'html', 'tabindex')).filter((line) => line.startsWith('between')),
  ).toEqual([])

const readCode = async (email: string) =>
  /code=(\d{6})/.exec((await stack.mail(email))[0]?.text ?? '')?.[1] ?? ''

it('sign-up, the mailed code, sign-in and a new password', { tags: 'long' }, async () => {
  const email = `${randomUUID()}@example.com`
  const page = await newPage({ baseURL: stack.origin })
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Create account' }).click()
  await waitForFocus(page.getByLabel('Full name'))
  await expectNothingBetweenFields(page)
  await typeThrough(page, ['Tia Typist', 'Tab', email, 'Tab', 'correct horse', 'Enter'])
  await waitForFocus(page.getByLabel('Code from the e-mail'))
  await typeThrough(page, [await readCode(email)])
  await composer(page).waitFor()

  const other = await newPage({ baseURL: stack.origin })
  await other.goto('/auth')
  await waitForFocus(other.getByLabel('E-mail'))
  await expectNothingBetweenFields(other)
  await typeThrough(other, [email, 'Tab', 'correct horse', 'Enter'])
  await composer(other).waitFor()

  const forgetful = await newPage({ baseURL: stack.origin })
  await forgetful.goto('/auth')
  await waitForFocus(forgetful.getByLabel('E-mail'))
  // the link comes after the password and its button
  await typeThrough(forgetful, [email, 'Tab', 'Tab', 'Tab', 'Enter'])
  await waitForFocus(forgetful.getByLabel('Code from the e-mail'))
  await expectNothingBetweenFields(forgetful)
  await typeThrough(forgetful, [await readCode(email), 'Tab', 'better horse', 'Enter'])
  await forgetful.getByText('Your password is changed. Sign in with the new one.').waitFor()
  await submitSignIn(forgetful, { email, password: 'better horse' })
  await composer(forgetful).waitFor()
})

it('the set-up of an integration, and a server of the user', { tags: 'long' }, async () => {
  const { page } = await signedInPage(stack)
  await openCatalogue(page)
  await page.getByRole('textbox', { name: 'Search integrations' }).click()
  await typeThrough(page, ['trello'])
  await card(page, 'Trello')
    .getByRole('button', { name: /^Connect/ })
    .click()
  const dialog = page.getByRole('dialog')
  const fields = dialog.locator('input')
  await fields.first().click()
  await expectNothingBetweenFields(page)
  await typeThrough(page, ['a-key', 'Tab', 'a-token'])
  await expect
    .poll(() => fields.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value)))
    .toEqual(['a-key', 'a-token'])
  await typeThrough(page, ['Tab', 'Space'])
  await expect.poll(() => fields.last().getAttribute('type')).toBe('text')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('textbox', { name: 'Search integrations' }).click()
  await typeThrough(page, ['Escape'])
  await card(page, 'Gmail')
    .getByRole('button', { name: /^Setup/ })
    .click()
  await fields.first().click()
  const opening = page.waitForEvent('popup')
  await typeThrough(page, ['demo', 'Tab', 'a-secret', 'Enter'])
  const popup = await opening
  await popup.getByRole('button', { name: 'Allow' }).click()
  await toast(page, 'Integration Connected').waitFor()

  await page.getByRole('button', { name: 'Add Custom' }).click()
  await page.getByRole('button', { name: 'Add Custom MCP Tool' }).click()
  const add = page.getByRole('dialog', { name: 'Add Custom MCP Tool' })
  await add.getByRole('button', { name: 'Add field' }).click()
  await add.getByLabel('Name').click()
  await expectNothingBetweenFields(page)
  const request = page.waitForRequest(
    (sent) => sent.method() === 'POST' && sent.url().includes('custom-tools'),
  )
  const values = ['Roast log', 'Beans and dates', '', 'key-1', 'X-Team', 'red', 'X-Site', 'oslo']
  await typeThrough(page, [...values.flatMap((value) => [value, 'Tab']).slice(0, -1), 'Enter'])
  expect((await request).postDataJSON()).toMatchObject({
    name: 'Roast log',
    description: 'Beans and dates',
    config: { apiKey: 'key-1', customFields: { 'X-Team': 'red', 'X-Site': 'oslo' } },
  })
  await toast(page, 'Custom Tool Added').waitFor()
})

it('the forms of the administration', async () => {
  const user = await stack.newUser()
  await grantAdmin(stack, user.email)
  const { page } = await signedInPage(stack, {}, user)
  const group = `typed-${randomUUID().slice(0, 8)}`
  const email = `${randomUUID()}@example.com`
  await page.goto('/admin/groups')
  await page.getByRole('button', { name: 'New group' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').click()
  await expectNothingBetweenFields(page)
  await typeThrough(page, [group, 'Tab', 'Types a lot', 'Tab', '3', 'Tab', '4', 'Enter'])
  await dialog.waitFor({ state: 'detached' })
  const limits = page.getByRole('list', { name: `Limits of ${group}` })
  await expect.poll(() => limits.getByRole('listitem').count()).toBe(2)

  await page.goto('/admin/invitations')
  await page.getByLabel('E-mail').click()
  await expectNothingBetweenFields(page)
  // Enter in a list of choices would open it
  await typeThrough(page, [email, 'Tab', '30', 'Shift+Tab', 'Enter'])
  await page.getByRole('button', { name: `Copy link for ${email}` }).waitFor()
})

it('the e-mail of an approval request, and a memory', { tags: 'long' }, async () => {
  const user = await stack.newUser()
  await connectProvider(stack, user, 'gmail')
  await user.call('account.settings', { body: { memory: true } })
  await user.call('memory.add', { body: { text: 'Likes tea' } })
  const { page } = await signedInPage(stack, {}, user)
  await sendMessage(page, 'Send an email to cleo@example.org with the subject "Lunch" saying Shall we meet?')
  const mail = page.getByRole('group', { name: 'Send an e-mail with Gmail?' })
  await mail.locator('footer:not([aria-disabled])').waitFor()
  await mail.getByRole('button', { name: 'Edit' }).click()
  await mail.getByLabel('To').click()
  await expectNothingBetweenFields(page)
  await typeThrough(page, [
    'Control+A',
    'dora@example.org',
    'Tab',
    'Control+A',
    'Supper',
    'Tab',
    'Control+A',
    'At eight?',
  ])
  // Approve is next, and Enter would add a line in the message
  await mail.locator('footer:not([aria-disabled])').waitFor()
  await typeThrough(page, ['Tab', 'Enter'])
  await waitForReplyEnd(page)
  await page
    .getByText(/dora@example.org/)
    .first()
    .waitFor()

  await page.goto('/settings')
  await page.getByRole('button', { name: 'Edit: Likes tea' }).click()
  await waitForFocus(page.getByLabel('Edit the memory'))
  await typeThrough(page, ['End', ' and toast', 'Enter'])
  await page.getByRole('button', { name: 'Edit: Likes tea and toast' }).waitFor()
})

/** Whether a person sees it: nothing covers its middle. */
const isSeen = (text: Locator) =>
  text.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const found = document.elementFromPoint(left + width / 2, top + height / 2)
    return found !== null && (element.contains(found) || found.contains(element))
  })

it(
  'what is wrong in a form that is longer than the screen is seen with the field, above the bar that saves it',
  { tags: 'long' },
  async () => {
    const user = await stack.newUser()
    await grantAdmin(stack, user.email)
    const { page } = await signedInPage(stack, { viewport: { width: 1240, height: 700 } }, user)
    await page.goto('/admin/groups')
    await page.getByRole('button', { name: 'New group' }).click()
    await page.getByLabel('Schedules of a person, 25 at most').fill('30')
    await page.getByLabel('Name').click()
    await typeThrough(page, ['A', 'Enter'])
    await waitForFocus(page.getByLabel('Schedules of a person, 25 at most'))
    await expect.poll(() => isSeen(page.getByText('Please enter 25 at most, or nothing.'))).toBe(true)

    await page.goto('/admin/site')
    await page.getByLabel('Cost of all together, per day').fill('x')
    await page.getByLabel('Text', { exact: true }).fill('Closed on Monday')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await waitForFocus(page.getByLabel('Cost of all together, per day'))
    await expect
      .poll(() => isSeen(page.getByText('Please enter a number, such as 2.25, or nothing.')))
      .toBe(true)
  },
)
