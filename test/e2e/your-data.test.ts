/** @module-tag long */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { expectFailures, newPage, screenshot } from '../support/browser.ts'
import { signOlderToken } from '../support/forged-tokens.ts'
import {
  cognitoRefusal,
  composer,
  submitSignIn,
  replaceToken,
  waitForReplyEnd,
  sendMessage,
  signedInPage,
  signInAgainDialog,
} from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import { findOccurrences } from '../support/every-store.ts'
import { openSettings, pressSignOutEverywhere } from '../support/settings-steps.ts'
import { enrolOnPage } from '../support/two-factor-steps.ts'
import { appCode, enrol, wrongAppCode } from '../support/two-factor.ts'
import { unzip } from '../support/unzip.ts'

const { stack, table } = await scriptedStack('Hello.')

const apiUnauthorized = { url: /\/api\/|\/functions\//, status: 401 } as const

it('exports everything as one zip', { tags: 'trial' }, async () => {
  const { page, user } = await signedInPage(stack)
  await sendMessage(page, 'Remember the milk')
  await waitForReplyEnd(page)
  await openSettings(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export everything' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^export-\d{4}-\d{2}-\d{2}\.zip$/)
  const files = unzip(await readFile(await file.path()))
  expect(JSON.parse(files.get('account.json') ?? '')).toMatchObject({
    id: user.sub,
    email: user.email,
    profile: { display_name: user.name },
  })
  const markdown = [...files].find(([name]) => name.endsWith('.md'))?.[1]
  expect(markdown).toContain('Remember the milk')
  expect(markdown).toContain('## Juno')
})

it('signs out everywhere: other browsers too, and older tokens are refused', { tags: 'trial' }, async () => {
  const { page, user } = await signedInPage(stack)
  const { page: otherPage } = await signedInPage(stack, {}, user)
  expect((await user.send('account.read')).status).toBe(200)
  // its token is refused, and another one at Cognito
  expectFailures(otherPage, apiUnauthorized, cognitoRefusal)
  await openSettings(page)
  await pressSignOutEverywhere(page)
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  expect(await user.send('account.read')).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
  await otherPage.goto('/settings')
  await otherPage.waitForURL('**/auth')
  await submitSignIn(page, user)
  // as after logging out: not on the previous user's page
  await composer(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
})

it('deletes the account after the word is typed, shows a receipt, and leaves nothing', async () => {
  const { page, user } = await signedInPage(stack)
  await sendMessage(page, 'CANARY-erase')
  await waitForReplyEnd(page)
  await openSettings(page)
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  const deleteButton = dialog.getByRole('button', { name: 'Delete for good' })
  await expect.poll(() => deleteButton.isDisabled()).toBe(true)
  await dialog.getByLabel('Type DELETE to confirm').fill('delete')
  await expect.poll(() => deleteButton.isDisabled()).toBe(true)
  await dialog.getByLabel('Type DELETE to confirm').fill('DELETE')
  expect(await findOccurrences(stack, 'CANARY-erase')).not.toEqual([])
  // what the page still asks for while its account is deleted
  expectFailures(page, apiUnauthorized)
  await deleteButton.click()
  const receipt = page.getByRole('dialog', { name: 'Your account is deleted' })
  await receipt
    .getByText(`${user.email} has been deleted, with its profile and settings, 1 conversation, 2 messages.`)
    .waitFor()
  // the local table keeps no backups
  expect(await receipt.getByText(/backup/i).count()).toBe(0)
  await screenshot(page, 'settings-receipt')
  await receipt.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  expect(await table.readRows(user.sub)).toEqual([])
  expect(await findOccurrences(stack, 'CANARY-erase')).toEqual([])
  expect((await user.send('account.read')).status).toBe(401)
  expectFailures(page, cognitoRefusal)
  await submitSignIn(page, user)
  await page.getByRole('alert').waitFor()
})

it(
  'DEC-020 with two-factor on and an older sign-in, deleting the account requires a code',
  { tags: 'trial' },
  async () => {
    const user = await stack.newUser()
    const { secret } = await enrol(user)
    const page = await newPage({ baseURL: stack.origin })
    await page.goto('/auth')
    await submitSignIn(page, user)
    await page.getByLabel('Verification code').fill(appCode(secret, 1))
    await composer(page).waitFor()
    const token = await signOlderToken(stack.dataDir, user.accessToken, 400)
    await page.route('**/api/account/erase', (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${token}` } }),
    )
    expectFailures(
      page,
      { url: /\/api\/account\/erase$/, status: 403 },
      { url: /\/api\/account\/erase$/, status: 400 },
    )
    await openSettings(page)
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    const deleteButton = dialog.getByRole('button', { name: 'Delete for good' })
    await dialog.getByLabel('Type DELETE to confirm').fill('DELETE')
    // with the keyboard from here on
    await page.keyboard.press('Enter')
    const digits = dialog.getByLabel('Verification code')
    await digits.waitFor()
    await expect.poll(() => deleteButton.isDisabled()).toBe(true)
    await screenshot(page, 'settings-erase-proof')
    await page.keyboard.type(wrongAppCode(secret))
    await page.keyboard.press('Enter')
    await dialog.getByText('Invalid verification code. Please try again.').waitFor()
    expect(await digits.inputValue()).toBe('')
    await dialog.getByRole('button', { name: 'Use a backup code' }).click()
    await dialog.getByLabel('Backup code').waitFor()
    await dialog.getByRole('button', { name: 'Use the app’s code' }).click()
    await digits.fill(appCode(secret, 1))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Your account is deleted' }).waitFor()
    expect(await table.readRows(user.sub)).toEqual([])
  },
)

it(
  'with an older sign-in, deleting the account requires password and code in place (H5)',
  { tags: 'trial' },
  async () => {
    const { page, user } = await signedInPage(stack, { expected: [cognitoRefusal] })
    const { secret } = await enrolOnPage(page)
    await replaceToken(page, (token) => signOlderToken(stack.dataDir, token, 1_000))
    expectFailures(page, { url: /\/api\/account\/erase$/, status: 403 })
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.getByLabel('Type DELETE to confirm').fill('DELETE')
    await page.keyboard.press('Enter')
    const dialog = signInAgainDialog(page)
    await dialog.waitFor()
    // when it is left, it says why nothing happened
    await page.keyboard.press('Escape')
    await page.getByText('Please sign in again.').first().waitFor()
    await page.getByRole('button', { name: 'Delete for good' }).click()
    await dialog.getByLabel('Password', { exact: true }).fill('not this one')
    await page.keyboard.press('Enter')
    await dialog.getByText('This password is wrong. Please try again.').waitFor()
    await dialog.getByLabel('Password', { exact: true }).fill(user.password)
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Verification code').fill(appCode(secret, 1))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Your account is deleted' }).waitFor()
    expect(await table.readRows(user.sub)).toEqual([])
  },
)
