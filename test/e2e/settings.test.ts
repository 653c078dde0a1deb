import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { expectFailures, screenshot } from '../support/browser.ts'
import { says, startFakeModel } from '../support/fake-model-server.ts'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import { composer, fillSignIn, openHistory, replyFinished, say, signedInPage } from '../support/page-steps.ts'
import { openStackTable } from '../support/stack-table.ts'
import { unzipped } from '../support/unzipped.ts'

let stack: LocalStack
let model: Awaited<ReturnType<typeof startFakeModel>>
let table: Awaited<ReturnType<typeof openStackTable>>

beforeAll(async () => {
  model = await startFakeModel(says('Hello.'))
  stack = await startStack({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'fake' } })
  table = await openStackTable(stack)
})
afterAll(async () => {
  table.close()
  await stack.stop()
  model.close()
})
beforeEach(() => model.behave(says('Hello.')))

const back = (page: Page) => page.getByRole('button', { name: 'Back' })
const nameField = (page: Page) => page.getByLabel('What should Juno call you?')
const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' })
const keep = (page: Page) => page.getByRole('switch', { name: 'Keep conversations' })
const uploads = (page: Page) => page.getByRole('switch', { name: 'Store uploads' })
const refusedToken = { url: /\/api\/|\/functions\//, status: 401 } as const

async function openSettings(page: Page, entry: 'Profile' | 'Settings' = 'Settings') {
  await page.getByRole('button', { name: /account menu/ }).click()
  await page.getByRole('menuitem', { name: entry }).click()
  await nameField(page).waitFor()
}

async function contentsOf(sub: string) {
  return JSON.stringify(await table.rowsOf(sub))
}

it('NAV-06 NAV-12 MENU-04 MENU-05 SET-01 SET-02 SET-03 SET-04 SET-08 SET-09 SET-11 SET-14 SET-20 LIM-09 shows one page at both addresses', async () => {
  const { page, user } = await signedInPage(stack)
  for (const [entry, path] of [
    ['Profile', '/profile'],
    ['Settings', '/settings'],
  ] as const) {
    await openSettings(page, entry)
    expect(new URL(page.url()).pathname).toBe(path)
    await page.getByRole('heading', { name: 'Settings', exact: true, level: 1 }).waitFor()
    await page.getByText('Manage your account preferences').waitFor()
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Your Profile',
      'Privacy & Your Digital Footprint',
      'Security Settings',
      'What the assistant did',
    ])
    expect(await nameField(page).getAttribute('placeholder')).toBe('Your display name')
    expect(await nameField(page).inputValue()).toBe(user.name)
    for (const one of [keep(page), uploads(page)]) expect(await one.getAttribute('aria-checked')).toBe('true')
    await page.getByRole('button', { name: 'Change Password' }).waitFor()
    expect(await save(page).isDisabled()).toBe(true)
    await back(page).click()
    await composer(page).waitFor()
  }
})

it('NAV-12 DEC-016 takes a visitor to the sign-in, and to the settings after it', async () => {
  const { page, user } = await signedInPage(stack)
  await page.evaluate(() => localStorage.clear())
  await page.goto('/settings')
  await fillSignIn(page, user)
  await nameField(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings')
})

it('SET-10 SET-22 AUTH-20 MENU-03 SET-08 saves the name, shows it in the menu and tells it to the model', async () => {
  const { page, user } = await signedInPage(stack)
  await openSettings(page)
  await nameField(page).fill('  Captain\u202E Ahab ')
  await save(page).click()
  await page.getByText('Profile updated!').waitFor()
  await page.getByText('Your changes have been saved successfully.').waitFor()
  expect(await nameField(page).inputValue()).toBe('Captain Ahab')
  expect(await save(page).isDisabled()).toBe(true)
  await back(page).click()
  await page.getByRole('button', { name: 'CA, account menu' }).click()
  await page.getByText('Captain Ahab').waitFor()
  await page.keyboard.press('Escape')
  await say(page, 'Who am I?')
  await replyFinished(page)
  expect(JSON.stringify(model.requests.at(-1))).toContain('Captain Ahab')
  expect((await table.rowsOf(user.sub)).find(({ SK }) => SK === 'PROFILE')).toMatchObject({
    display_name: 'Captain Ahab',
  })
})

it('SET-23 tells when saving failed, and keeps what was typed', async () => {
  const { page } = await signedInPage(stack)
  await openSettings(page)
  await nameField(page).fill('Ishmael')
  expectFailures(page, { url: /\/api\/account$/, status: 'network' })
  await page.route('**/api/account', (route) => route.abort())
  await save(page).click()
  await page.getByText('Update failed').waitFor()
  expect(await nameField(page).inputValue()).toBe('Ishmael')
  expect(await save(page).isDisabled()).toBe(false)
})

it('warns of unsaved changes on the page’s Back and on the browser’s', async () => {
  const { page } = await signedInPage(stack)
  await openSettings(page)
  await nameField(page).fill('Half a name')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await back(page).click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  expect(await nameField(page).inputValue()).toBe('Half a name')
  await page.goBack()
  await question.waitFor()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  expect(await nameField(page).inputValue()).toBe('Half a name')
  expect(new URL(page.url()).pathname).toBe('/settings')
  await page.goBack()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await composer(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
})

it('goes back in one step once changes are saved or taken back', async () => {
  const { page } = await signedInPage(stack)
  await openSettings(page)
  const before = await nameField(page).inputValue()
  await nameField(page).fill('x')
  await nameField(page).fill(before)
  expect(await save(page).isDisabled()).toBe(true)
  await page.goBack()
  await composer(page).waitFor()
})

it('SET-05 SET-07 SET-24 MENU-01 DEC-034 makes a small square of a large photo, and shows it once saved', async () => {
  const { page, user } = await signedInPage(stack)
  await openSettings(page)
  // a picture of 3,000 × 2,000 pixels
  const photo = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 3_000
    canvas.height = 2_000
    const context = canvas.getContext('2d')
    for (let y = 0; y < 2_000; y += 100)
      for (let x = 0; x < 3_000; x += 100) {
        if (!context) return ''
        context.fillStyle = `hsl(${(x * y) % 360} 80% ${(x + y) % 100}%)`
        context.fillRect(x, y, 100, 100)
      }
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  const buffer = Buffer.from(photo, 'base64')
  await page
    .getByLabel('Picture', { exact: true })
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  await page.getByText('Avatar uploaded!').waitFor()
  await page.getByText("Don't forget to save your changes.").waitFor()
  await save(page).click()
  await page.getByText('Profile updated!').waitFor()
  const rows = (await table.rowsOf(user.sub)).filter(({ SK }) => String(SK).startsWith('AVATAR#'))
  expect(rows).toHaveLength(1)
  expect(rows[0]?.['ttl']).toBeUndefined()
  expect(rows[0]?.['bytes']).toSatisfy((bytes: Uint8Array) => bytes.length <= 60_000)
  await page.reload()
  await nameField(page).waitFor()
  const shown = page.getByRole('button', { name: /change picture/ }).locator('img')
  await shown.waitFor()
  expect(
    await shown.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]),
  ).toEqual([512, 512])
  await back(page).click()
  await page
    .getByRole('button', { name: /account menu/ })
    .locator('img')
    .waitFor()
})

it('SET-05 SET-25 DEC-034 turns a vector image into pixels without its script, and refuses what is no picture', async () => {
  const { page, user } = await signedInPage(stack)
  await openSettings(page)
  const pick = (name: string, mimeType: string, text: string) =>
    page.getByLabel('Picture', { exact: true }).setInputFiles({ name, mimeType, buffer: Buffer.from(text) })
  await pick('me.png', 'image/png', 'This is text.')
  await page.getByText('Upload failed').waitFor()
  await pick(
    'me.svg',
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><script>alert("CANARY-svg")</script><rect width="10" height="10" fill="red"/></svg>',
  )
  await page.getByText('Avatar uploaded!').waitFor()
  expect(await contentsOf(user.sub)).not.toContain('CANARY-svg')
})

it('DEC-033 SET-12 without "keep conversations" nothing of a new chat is in the table, and the page says so', async () => {
  const { page, user } = await signedInPage(stack)
  await say(page, 'CANARY-before')
  await replyFinished(page)
  await openSettings(page)
  await keep(page).click()
  await page.getByText('1 conversation from before is still saved.').waitFor()
  await back(page).click()
  await page.getByText('This chat is not kept. It is gone when you leave or reload the page.').waitFor()
  model.behave(says('CANARY-reply'))
  await say(page, 'CANARY-question')
  await page.getByText('CANARY-reply', { exact: true }).first().waitFor()
  await replyFinished(page)
  expect(new URL(page.url()).search).toBe('')
  // what was said goes along with the next message
  await say(page, 'And again')
  await replyFinished(page)
  expect(JSON.stringify(model.requests.at(-1))).toMatch(/CANARY-question.*CANARY-reply.*And again/)
  const contents = await contentsOf(user.sub)
  expect(contents).toContain('CANARY-before')
  expect(contents).not.toContain('CANARY-question')
  expect(contents).not.toContain('CANARY-reply')
  await openHistory(page)
  await page.getByText('CANARY-before').waitFor()
  expect(await page.getByRole('dialog').getByText('CANARY-question').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.reload()
  await composer(page).waitFor()
  expect(await page.getByText('CANARY-question').count()).toBe(0)
})

it('DEC-033 deletes what was saved before when it is asked to', async () => {
  const { page, user } = await signedInPage(stack)
  for (const text of ['CANARY-one', 'CANARY-two']) {
    await page.goto('/')
    await say(page, text)
    await replyFinished(page)
  }
  await openSettings(page)
  await page.getByText('2 conversations, 4 messages, 0 files, 0 credentials').waitFor()
  await keep(page).click()
  await page.getByRole('button', { name: 'Delete saved conversations' }).click()
  await page
    .getByRole('dialog', { name: 'Delete 2 saved conversations?' })
    .getByRole('button', { name: 'Delete', exact: true })
    .click()
  await page.getByText('Conversations deleted').waitFor()
  await page.getByText('0 conversations, 0 messages, 0 files, 0 credentials').waitFor()
  expect(await contentsOf(user.sub)).not.toContain('CANARY')
})

it('SET-12 SET-13 switches are stored, and are as they were after a reload', async () => {
  const { page, user } = await signedInPage(stack)
  await openSettings(page)
  const stored = page.waitForResponse((response) => response.url().endsWith('/api/account/settings'))
  await uploads(page).click()
  await stored
  await page.reload()
  await nameField(page).waitFor()
  expect(await uploads(page).getAttribute('aria-checked')).toBe('false')
  expect(await keep(page).getAttribute('aria-checked')).toBe('true')
  expect((await table.rowsOf(user.sub)).find(({ SK }) => SK === 'SETTINGS')).toMatchObject({
    store_uploads: false,
  })
})

it('DEC-033 a switch that could not be stored goes back and says so', async () => {
  const { page } = await signedInPage(stack)
  await openSettings(page)
  expectFailures(page, { url: /\/api\/account\/settings$/, status: 'network' })
  await page.route('**/api/account/settings', (route) => route.abort())
  await keep(page).click()
  await page.getByText('Update failed').waitFor()
  expect(await keep(page).getAttribute('aria-checked')).toBe('true')
})

it('LIB-20 DEC-101 a theme goes along to another browser, which may choose its own', async () => {
  const { page, user } = await signedInPage(stack)
  await openSettings(page)
  const stored = page.waitForResponse((response) => response.url().endsWith('/api/account/settings'))
  await page.getByRole('radio', { name: 'Dark' }).click()
  await stored
  const theme = (at: Page) => at.evaluate(() => document.documentElement.dataset['theme'])
  expect(await theme(page)).toBe('dark')
  const { page: other } = await signedInPage(stack, {}, user)
  await other.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
  await openSettings(other)
  await other.getByRole('radio', { name: 'Light' }).click()
  await other.reload()
  await nameField(other).waitFor()
  expect(await theme(other)).toBe('light')
  await page.reload()
  await nameField(page).waitFor()
  expect(await theme(page)).toBe('dark')
})

it('SET-20 sends an e-mail to change the password', async () => {
  const { page, user } = await signedInPage(stack)
  await openSettings(page)
  await page.getByRole('button', { name: 'Change Password' }).click()
  await page.getByText('Password reset email sent').waitFor()
  await page.getByText('Check your email for password reset instructions.').waitFor()
  expect((await stack.mail(user.email))[0]?.text).toContain('type=recovery')
})

it('SET-26 says so when the e-mail could not be asked for', async () => {
  const { page } = await signedInPage(stack)
  await openSettings(page)
  const { cognito } = await stack.endpoints()
  expectFailures(page, { url: new RegExp(`^${cognito}`), status: 'network' })
  await page.route(`${cognito}**`, (route) => route.abort())
  await page.getByRole('button', { name: 'Change Password' }).click()
  await page.getByText('Error', { exact: true }).waitFor()
})

it('exports everything as one zip', async () => {
  const { page, user } = await signedInPage(stack)
  await say(page, 'Remember the milk')
  await replyFinished(page)
  await openSettings(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export everything' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^export-\d{4}-\d{2}-\d{2}\.zip$/)
  const files = unzipped(await readFile(await file.path()))
  expect(JSON.parse(files.get('account.json') ?? '')).toMatchObject({
    id: user.sub,
    email: user.email,
    profile: { display_name: user.name },
  })
  const markdown = [...files].find(([name]) => name.endsWith('.md'))?.[1]
  expect(markdown).toContain('Remember the milk')
  expect(markdown).toContain('## Juno')
})

it('signs out everywhere: other browsers too, and older tokens are refused', async () => {
  const { page, user } = await signedInPage(stack)
  expect((await user.send('account.read')).status).toBe(200)
  await openSettings(page)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  expect(await user.send('account.read')).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
  await fillSignIn(page, user)
  await nameField(page).waitFor()
})

it('deletes the account after the word is typed, gives a receipt, and leaves nothing', async () => {
  const { page, user } = await signedInPage(stack)
  await say(page, 'CANARY-erase')
  await replyFinished(page)
  await openSettings(page)
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  const erase = dialog.getByRole('button', { name: 'Delete for good' })
  expect(await erase.isDisabled()).toBe(true)
  await dialog.getByLabel('Type DELETE to confirm').fill('delete')
  expect(await erase.isDisabled()).toBe(true)
  await dialog.getByLabel('Type DELETE to confirm').fill('DELETE')
  await erase.click()
  const receipt = page.getByRole('dialog', { name: 'Your account is deleted' })
  await receipt.getByText('1 conversation, 2 messages, 0 files, 0 credentials').waitFor()
  const until = new Date(Date.now() + 35 * 86_400_000).toLocaleDateString('en', { dateStyle: 'long' })
  await receipt.getByText(until).waitFor()
  await screenshot(page, 'settings-receipt')
  await receipt.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  expect(await table.rowsOf(user.sub)).toEqual([])
  expect((await user.send('account.read')).status).toBe(401)
  expectFailures(page, refusedToken, { url: /^http:\/\/127\.0\.0\.1:\d+\/$/, status: 400 })
  await fillSignIn(page, user)
  await page.getByRole('alert').waitFor()
})

it.each([
  ['wide', { width: 1440, height: 900 }, 'light'],
  ['dark', { width: 1440, height: 900 }, 'dark'],
  ['phone', { width: 390, height: 844 }, 'light'],
] as const)('fits %s', async (name, viewport, colorScheme) => {
  const { page } = await signedInPage(stack, { viewport, colorScheme })
  await openSettings(page)
  await page.getByText(/0 files/).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await screenshot(page, `settings-${name}`, { fullPage: true })
})
