/** @module-tag long */
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { expectFailures, forEachSizeAndTheme, newPage, screenshot } from '../support/browser.ts'
import { grantAdmin } from '../support/grant-admin.ts'
import {
  cognitoRefusal,
  composer,
  waitForReplyEnd,
  sendMessage,
  signedInPage,
} from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'
import { signInUser } from '../support/stack-user.ts'

const stack = await demoStack()

async function administratorPage() {
  const user = await stack.newUser()
  await grantAdmin(stack, user.email)
  const { page } = await signedInPage(stack, {}, user)
  await page.goto('/admin')
  await page.getByRole('heading', { name: 'Administration', level: 1 }).waitFor()
  const session = await signInUser({ origin: stack.origin, cognito: (await stack.endpoints()).cognito }, user)
  return { page, admin: session }
}

const showSection = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections of the administration' }).getByRole('link', { name }).click()

async function checkLooks(page: Page, name: string): Promise<void> {
  await forEachSizeAndTheme(page, async (look, rules) => {
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      .toBe(true)
    expect(await findViolations(page, ...rules)).toEqual([])
    await screenshot(page, `admin-${name}-${look}`, { fullPage: true })
  })
}

/** Signs up with the link of a mailed invitation, which confirms the address: no other mail is sent. */
async function acceptInvitation(email: string): Promise<Page> {
  const [mail, ...others] = await stack.mail(email)
  expect(others).toEqual([])
  const page = await newPage({ baseURL: stack.origin })
  await page.goto(/http\S+/.exec(mail?.text ?? '')?.[0] ?? '')
  await page.getByText('Use the address that was invited.').waitFor()
  await page.getByLabel('Full name').fill('Ada Example')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Create account' }).click()
  await composer(page).waitFor()
  return page
}

/** @param look called with the page at each state to check */
async function followMember(look: (page: Page, name: string) => Promise<void>): Promise<void> {
  const { page } = await administratorPage()
  const group = `Night shift ${randomUUID().slice(0, 8)}`
  const email = `${randomUUID()}@example.com`

  await showSection(page, 'Groups')
  await page.getByRole('button', { name: 'New group' }).click()
  const dialog = page.getByRole('dialog')
  // key by key: a field that changes its text while it is typed could lose the blank
  await dialog.getByLabel('Name').pressSequentially(group)
  await dialog.getByLabel('Description').fill('Works while others sleep')
  await dialog.getByLabel('Generated images a day').fill('3')
  await dialog.getByLabel('Tokens a month').fill('5,000,000')
  await look(page, 'group-dialog')
  await dialog.getByRole('button', { name: 'Create group' }).click()
  await page
    .getByRole('list', { name: `Limits of ${group}` })
    .getByText('3 images a day')
    .waitFor()
  await look(page, 'groups')

  await showSection(page, 'Invitations')
  await page.getByLabel('E-mail').fill(email)
  // another form invites many
  const form = page.locator('form').filter({ has: page.getByLabel('E-mail') })
  await form.getByRole('checkbox', { name: group }).check()
  await form.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('button', { name: `Copy link for ${email}` }).waitFor()
  await look(page, 'invitations')
  const member = await acceptInvitation(email)
  await sendMessage(member, 'Hello')
  await waitForReplyEnd(member)

  await showSection(page, 'Users')
  await page.getByLabel('Search by e-mail').fill(email.slice(0, 20))
  await page.getByText('1 user', { exact: true }).waitFor()
  await look(page, 'users')
  await page.getByRole('link', { name: new RegExp(email) }).click()
  const limits = page.getByRole('list', { name: 'Limits in force' })
  await limits.getByText('3 images a day').waitFor()
  await limits.getByText('5,000,000 tokens a month').waitFor()
  const logId = (
    await page
      .locator('code')
      .filter({ hasText: /^[0-9a-f]{12}$/ })
      .innerText()
  ).trim()
  await look(page, 'user')

  await showSection(page, 'Usage')
  await page.getByRole('table', { name: 'By user' }).getByRole('link', { name: email }).waitFor()
  await look(page, 'usage')
  await page.getByRole('table', { name: 'By user' }).getByRole('link', { name: email }).click()

  // the member's page may ask by itself as soon as the account is disabled
  expectFailures(member, cognitoRefusal, { url: /\/api\//, status: 401 })
  await page.getByRole('button', { name: 'Disable' }).click()
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Disabled', { exact: true }).waitFor()
  await member.reload()
  await member.getByRole('button', { name: 'Sign in', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByLabel(`Type ${email} to confirm`).fill(email)
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await dialog.getByText(new RegExp(`^${email} has been deleted, .*, 1 conversation, 2 messages`)).waitFor()
  await dialog.getByRole('button', { name: 'Download receipt' }).waitFor()
  await look(page, 'receipt')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByLabel('Search by e-mail').fill(email)
  await page.getByText(`No address begins with “${email}”.`).waitFor()

  await showSection(page, 'Log')
  const entries = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')
  // the address of somebody who was erased is not in it
  await entries.filter({ hasText: `deleted the account ${logId}` }).waitFor()
  await entries.filter({ hasText: `disabled ${email}` }).waitFor()
  await entries.filter({ hasText: `created the group ${group}` }).waitFor()
  await look(page, 'log')
}

it('an administrator creates a group, invites a member, sees their usage, disables and deletes them', () =>
  followMember(async () => {}))

it(
  'the sections of the administration have no layout faults on a phone and on a wide screen',
  { tags: 'trial' },
  () => followMember(checkLooks),
)
