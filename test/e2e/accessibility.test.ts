import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findings } from '../support/axe.ts'
import { newPage, screenshot } from '../support/browser.ts'
import { png } from '../support/document-samples.ts'
import { card, fillSetup, openCatalogue } from '../support/integration-steps.ts'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import { composer, fillSignIn, openHistory, replyFinished, say, signedInPage } from '../support/page-steps.ts'
import type { StackUser } from '../support/stack-user.ts'
import { enrolOnPage, verificationCode, verify } from '../support/two-factor-steps.ts'
import { enrol } from '../support/two-factor.ts'

let stack: LocalStack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack.stop())

const signedOut = () => newPage({ baseURL: stack.origin, reducedMotion: 'reduce' })
const signedIn = async (known?: StackUser) =>
  (await signedInPage(stack, { reducedMotion: 'reduce' }, known)).page

async function challenged(): Promise<Page> {
  const user = await stack.newUser()
  await enrol(user)
  const page = await signedOut()
  await page.goto('/auth')
  await fillSignIn(page, user)
  await verificationCode(page).waitFor()
  return page
}

async function talked(...texts: string[]): Promise<Page> {
  const page = await signedIn()
  for (const text of texts) {
    await say(page, text)
    await replyFinished(page)
  }
  return page
}

async function inSettings(): Promise<Page> {
  const page = await signedIn()
  await page.goto('/settings')
  await page.getByText('Recommended').waitFor()
  await page.getByText(/0 custom tools/).waitFor()
  return page
}

/** Each opens a page, and brings it to where it is to be looked at. */
const screens: Record<string, () => Promise<Page>> = {
  'sign-in': async () => {
    const page = await signedOut()
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    return page
  },
  'sign-in refused': async () => {
    const page = await signedOut()
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.locator('[aria-invalid]').first().waitFor()
    return page
  },
  'second step': challenged,
  'second step by backup code': async () => {
    const page = await challenged()
    await page.getByRole('button', { name: 'Use a backup code' }).click()
    await verify(page).waitFor()
    return page
  },
  'two-factor, key': async () => {
    const page = await inSettings()
    await page.getByRole('button', { name: 'Enable 2FA' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    return page
  },
  'two-factor, codes': async () => {
    const page = await signedIn()
    await enrolOnPage(page)
    return page
  },
  settings: inSettings,
  'settings, deleting': async () => {
    const page = await inSettings()
    await page.getByRole('button', { name: 'Delete account' }).click()
    await page.getByLabel('Type DELETE to confirm').waitFor()
    return page
  },
  'chat, empty': () => signedIn(),
  'chat, messages': () => talked('/markdown', 'Tell me about Rome'),
  'chat, failed': () => talked('/fail'),
  'account menu': async () => {
    const page = await signedIn()
    await page.getByRole('button', { name: /account menu$/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
    return page
  },
  history: async () => {
    const page = await talked('Tell me about Rome')
    await openHistory(page)
    await page.getByRole('dialog', { name: 'Your Conversations' }).getByRole('listitem').first().waitFor()
    return page
  },
  search: async () => {
    const page = await talked('Tell me about Rome')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('Rome')
    await page.getByRole('option').first().waitFor()
    return page
  },
  integrations: async () => {
    const page = await signedIn()
    await openCatalogue(page)
    return page
  },
  'integrations, set-up': async () => {
    const page = await signedIn()
    await openCatalogue(page)
    await fillSetup(page, 'Gmail', 'demo')
    return page
  },
  'integrations, nothing found': async () => {
    const page = await signedIn()
    await openCatalogue(page)
    await page.getByPlaceholder('Search integrations').fill('no such thing')
    await card(page, 'Gmail').waitFor({ state: 'detached' })
    return page
  },
  viewer: async () => {
    const page = await signedIn()
    const file = { name: 'large.png', mimeType: 'image/png', buffer: png(600, 400) }
    await page.getByLabel('Files to attach').setInputFiles([file])
    await composer(page).fill('Look')
    await page.getByRole('list', { name: 'Attached files' }).getByText('ready').waitFor()
    await page.keyboard.press('Enter')
    await replyFinished(page)
    await page.getByRole('button', { name: /large\.png/ }).click()
    await page.getByRole('dialog', { name: 'large.png' }).getByRole('img').waitFor()
    return page
  },
  'no such page': async () => {
    const page = await signedOut()
    await page.goto('/nowhere')
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  },
}

const looks = [
  ['light', { width: 1280, height: 800 }],
  ['dark', { width: 1280, height: 800 }],
  ['light', { width: 390, height: 844 }],
  ['dark', { width: 390, height: 844 }],
] as const

it.each(Object.entries(screens))(
  'has nothing to find for axe, light and dark, wide and narrow: %s',
  async (name, open) => {
    const page = await open()
    for (const [colorScheme, viewport] of looks) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(viewport)
      await screenshot(page, `axe ${name} ${colorScheme} ${viewport.width}`)
      expect({ colorScheme, viewport, found: await findings(page) }).toEqual({
        colorScheme,
        viewport,
        found: [],
      })
    }
  },
)
