import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { webDist } from '../../infra/local/web-build.ts'
import { expectFailures, newPage, screenshot } from '../support/browser.ts'
import {
  cognitoRefusal,
  composer,
  readBrowserStorage,
  submitSignIn,
  refreshSession,
  signedInPage,
  signInAgainDialog,
  tabTo,
  toastNamed,
  waitForFocus,
} from '../support/page-steps.ts'
import { printPages } from '../support/print-pages.ts'
import { enrolOnPage, signOut, verificationCode, verifyButton } from '../support/two-factor-steps.ts'
import { appCode, enrol, wrongAppCode } from '../support/two-factor.ts'
import { readWebManifest } from '../support/web-manifest.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

const apiRefusal = { url: /\/functions\/v1\/(verify|setup)-2fa$/, status: 400 } as const

it(
  'MFA-01 MFA-04 MFA-27 is turned on, accepts each backup code once for the sign-in, and is turned off',
  { tags: 'long' },
  async () => {
    const { user, page } = await signedInPage(stack, { expected: [cognitoRefusal, apiRefusal] })
    const { backupCodes } = await enrolOnPage(page)
    expect(backupCodes).toHaveLength(10)
    await toastNamed(page, '2FA Enabled Successfully!').waitFor()
    await page.getByRole('button', { name: 'Continue to Settings' }).click()
    await toastNamed(page, '2FA Enabled').getByText('2FA Enabled', { exact: true }).waitFor()
    await page.getByText('Your account is protected with 2FA').waitFor()
    await page.getByText('10 backup codes left').waitFor()

    await signOut(page)
    await submitSignIn(page, user)
    await page.getByRole('button', { name: 'Use a backup code' }).click()
    // the challenge is in memory only
    expect(await readBrowserStorage(page)).not.toMatch(new RegExp(`SignInState|${user.email}`))
    await page.getByLabel('Backup code').fill(backupCodes[0]?.toLowerCase() ?? '')
    await expect.poll(() => page.getByLabel('Backup code').inputValue()).toBe(backupCodes[0])
    await verifyButton(page).click()
    await composer(page).waitFor()

    await page.goto('/settings')
    await page.getByText('9 backup codes left').waitFor()

    // the same code again, in another browser
    const other = await newPage({ baseURL: stack.origin, expected: [cognitoRefusal, apiRefusal] })
    await other.goto('/auth')
    await submitSignIn(other, user)
    await other.getByRole('button', { name: 'Use a backup code' }).click()
    await other.getByLabel('Backup code').fill(backupCodes[0] ?? '')
    await verifyButton(other).click()
    await other.getByText('Invalid verification code. Please try again.').waitFor()
    expect(await other.getByLabel('Backup code').inputValue()).toBe('')
    await other.getByRole('button', { name: 'Cancel' }).click()
    await toastNamed(other, 'Sign in cancelled').waitFor()

    // off: no code is required any more
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable', exact: true }).click()
    await toastNamed(page, '2FA Disabled').waitFor()
    await page.getByText('Add an extra layer of security to your account').waitFor()
    await submitSignIn(other, user)
    await composer(other).waitFor()
  },
)

it(
  'MFA-08 MFA-10 MFA-37 takes six digits, refuses wrong ones in place, and is gone after a reload',
  { tags: 'trial' },
  async () => {
    const user = await stack.newUser()
    const { secret } = await enrol(user)
    const page = await newPage({ baseURL: stack.origin, expected: [cognitoRefusal] })
    await page.goto('/auth')
    await submitSignIn(page, user)
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await verificationCode(page).fill('12ab3')
    await expect.poll(() => verificationCode(page).inputValue()).toBe('123')
    await expect.poll(() => verifyButton(page).isDisabled()).toBe(true)
    await verificationCode(page).fill(wrongAppCode(secret))
    await page.getByText('Invalid verification code. Please try again.').waitFor()
    expect(await verificationCode(page).inputValue()).toBe('')

    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto('/')
    await page.waitForURL('**/auth')
    await submitSignIn(page, user)
    const next = appCode(secret, 1)
    await verificationCode(page).fill(`${next.slice(0, 3)} ${next.slice(3)}`)
    await composer(page).waitFor()
  },
)

it('MFA-03 AUTH-35 cancelling the second step signs the user out', { tags: 'trial' }, async () => {
  const user = await stack.newUser()
  await enrol(user)
  const page = await newPage({ baseURL: stack.origin })
  await page.goto('/auth')
  await submitSignIn(page, user)
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await toastNamed(page, 'Sign in cancelled').waitFor()
  await page.goto('/')
  await page.waitForURL('**/auth')
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith('Token'))))
    .toEqual([])
})

it('an older session must enter the password in place to switch it on (DEC-124, H5)', async () => {
  const { user, page } = await signedInPage(stack, { expected: [cognitoRefusal] })
  await refreshSession(page)
  expectFailures(page, { url: /setup-2fa$/, status: 403 })
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Enable 2FA' }).click()
  const dialog = signInAgainDialog(page)
  const password = dialog.getByLabel('Password', { exact: true })
  await password.fill('not this one')
  await page.keyboard.press('Enter')
  await dialog.getByText('This password is wrong. Please try again.').waitFor()
  await screenshot(page, 'sign-in-again')
  await password.fill(user.password)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const secret = (await page.getByRole('dialog').locator('code').innerText()).replaceAll(/\s/g, '')
  await verificationCode(page).fill(appCode(secret))
  await page.getByRole('list', { name: 'Backup codes' }).waitFor()
  await page.getByRole('button', { name: 'Continue to Settings' }).click()
  await page.getByText('10 backup codes left').waitFor()
})

it('when it is switched on, other browsers are signed out (M1)', { tags: 'trial' }, async () => {
  const { user, page } = await signedInPage(stack)
  const { page: other } = await signedInPage(stack, {}, user)
  await enrolOnPage(page)
  await page.getByRole('button', { name: 'Continue to Settings' }).click()
  // the other browser's session has ended, and this one's continues
  expectFailures(other, { url: /\/api\//, status: 401 })
  await other.goto('/settings')
  await other.waitForURL('**/auth')
  await toastNamed(other, 'Signed out').waitFor()
  await page.goto('/')
  await composer(page).waitFor()
})

it(
  'abandoning the new sign-in leaves the session and two-factor as they were',
  { tags: 'trial' },
  async () => {
    const { page } = await signedInPage(stack)
    await refreshSession(page)
    expectFailures(page, { url: /setup-2fa$/, status: 403 })
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Enable 2FA' }).click()
    await signInAgainDialog(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Your sign-in is a while ago. Please sign in again to change this.').waitFor()
    await page.getByRole('button', { name: 'Try Again' }).click()
    await signInAgainDialog(page).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Add an extra layer of security to your account').waitFor()
    await page.goto('/')
    await composer(page).waitFor()
  },
)

it(
  'MFA-20 MFA-22 a failed set-up says why and can be retried; cancelling leaves it off',
  { tags: 'trial' },
  async () => {
    const { page } = await signedInPage(stack)
    expectFailures(page, { url: /setup-2fa$/, status: 503 })
    let failing = true
    await page.route('**/functions/v1/setup-2fa', (route) =>
      failing
        ? route.fulfill({
            status: 503,
            json: { success: false, error: 'The sign-in service rests.', code: 'x', requestId: 'y' },
          })
        : route.continue(),
    )
    await page.goto('/settings')
    await page.getByText('Recommended').waitFor()
    await page.getByRole('button', { name: 'Enable 2FA' }).click()
    await page.getByText('The sign-in service rests.').waitFor()
    failing = false
    await page.getByRole('button', { name: 'Try Again' }).click()
    const qr = page.getByRole('img', { name: 'QR code for your authenticator app' })
    await qr.waitFor()
    await expect.poll(() => qr.getAttribute('width')).toBe('256')
    await screenshot(page, 'two-factor verify')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('button', { name: 'Enable 2FA' }).isVisible()).toBe(true)
  },
)

it('MFA-28 MFA-29 DEC-104 copies the codes one per line, downloads them, and prints them without the rest of the page', async () => {
  const { page } = await signedInPage(stack)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const { backupCodes } = await enrolOnPage(page)
  await page.getByRole('button', { name: 'Copy all' }).click()
  await toastNamed(page, 'Backup codes copied').getByText('Store these codes in a safe place.').waitFor()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(backupCodes.join('\n'))
  await page.getByRole('button', { name: 'Copy all' }).waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await downloading).suggestedFilename()).toBe('Juno backup codes.txt')
  await screenshot(page, 'two-factor codes')
  const [only = '', ...more] = await printPages(page)
  expect(more).toEqual([])
  for (const code of [...backupCodes, 'Save your backup codes']) expect(only).toContain(code)
  for (const other of ['Your Profile', 'Copy all', 'Continue to Settings']) expect(only).not.toContain(other)
})

it(
  'MFA-21 MFA-25 MFA-31 is set up and switched off with the keyboard, and the focus returns',
  { tags: 'long' },
  async () => {
    const { page } = await signedInPage(stack, { reducedMotion: 'reduce' })
    await page.goto('/settings')
    const enable = page.getByRole('button', { name: 'Enable 2FA' })
    await tabTo(page, enable)
    await page.keyboard.press('Enter')
    const key = page.getByRole('dialog').locator('code')
    const secret = (await key.innerText()).replaceAll(/\s/g, '')
    // the field gets the focus, and the last digit submits the code
    const code = page.getByRole('dialog').getByRole('textbox')
    await waitForFocus(code)
    await expect
      .poll(() => page.getByRole('img', { name: 'QR code for your authenticator app' }).getAttribute('width'))
      .toBe('256')
    // a short phone shows everything needed without scrolling
    const size = page.viewportSize()
    await page.setViewportSize({ width: 375, height: 740 })
    const isShown = () =>
      code.evaluate((node) => {
        const { x, width, bottom } = node.getBoundingClientRect()
        return document.elementFromPoint(x + width / 2, bottom - 2) === node
      })
    await expect.poll(isShown).toBe(true)
    if (size) await page.setViewportSize(size)
    await waitForFocus(code)
    await page.keyboard.type(appCode(secret))
    const done = page.getByRole('button', { name: 'Continue to Settings' })
    await done.waitFor()
    await tabTo(page, done)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const newCodes = page.getByRole('button', { name: 'New backup codes' })
    await waitForFocus(newCodes)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Disable' })
    await confirm.waitFor()
    await screenshot(page, 'two-factor disable')
    await tabTo(page, confirm)
    await page.keyboard.press('Enter')
    await toastNamed(page, '2FA Disabled').waitFor()
    await waitForFocus(enable)
    await page.keyboard.press('Enter')
    await key.waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitForFocus(enable)
  },
)

it('LIB-08 DEC-155 on a phone the toast does not cover the codes', { tags: 'trial' }, async () => {
  const { page } = await signedInPage(stack, { viewport: { width: 390, height: 844 } })
  await enrolOnPage(page)
  const toast = toastNamed(page, '2FA Enabled Successfully!')
  await toast.waitFor()
  const isAbove = async () => {
    const [above, dialog] = await Promise.all([toast.boundingBox(), page.getByRole('dialog').boundingBox()])
    return above !== null && dialog !== null && above.y >= 0 && above.y + above.height <= dialog.y
  }
  await expect.poll(isAbove).toBe(true)
})

it('the sign-in page does not load the wizard, the QR code and the picture cropper', async () => {
  const { listScripts, listPageScripts } = await readWebManifest()
  const signIn = listPageScripts('/auth')
  for (const name of ['setup-wizard', 'factor-change-dialog', 'settings-screen']) {
    const own = (file: string) => file.includes(`/${name}-`)
    expect([...listScripts(`${name}.tsx`)].filter(own)).toHaveLength(1)
    expect([...signIn].filter(own)).toEqual([])
  }
  const code = await Promise.all([...signIn].map((file) => readFile(join(webDist, file), 'utf8')))
  // strings of both packages that no minifier changes
  expect(code.join('')).not.toContain('createImageBitmap')
  expect(code.join('')).not.toContain('QR code for your authenticator app')
})
