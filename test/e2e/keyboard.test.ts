/** @module-tag long */
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { newPage } from '../support/browser.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { toast } from '../support/integration-steps.ts'
import {
  chooseEntry,
  composer,
  hasFocus,
  waitForReplyEnd,
  signedInPage,
  stopButton,
  tabTo,
  typeThrough,
} from '../support/page-steps.ts'
import { nameField } from '../support/settings-steps.ts'
import { demoStack } from '../support/shared-stack.ts'
import { settled } from '../support/settled.ts'

const stack = await demoStack()

/** What has the focus, and whether it is visible; undefined if the focus was lost. */
const describeFocus = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return undefined
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? ''
    const ringCandidates = [
      element,
      ...(element.closest('form, label, .relative')?.querySelectorAll('*') ?? []),
      element.closest('form'),
    ]
    const hasFocusRing = (part: Element | null) => {
      if (!part) return false
      const ringed = [undefined, '::after'].some((pseudo) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(part, pseudo)
        return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
      })
      return ringed || part.hasAttribute('data-highlighted')
    }
    const { top, bottom, width } = element.getBoundingClientRect()
    const isOnScreen = bottom > 0 && top < innerHeight && width > 0
    const dialogs = [...document.querySelectorAll('[role="dialog"][data-state="open"]')]
    return {
      isInDialog: dialogs.length === 0 || dialogs.some((dialog) => dialog.contains(element)),
      name: `${element.tagName.toLowerCase()} ${element.id} ${name}`,
      isVisible:
        (ringCandidates.some(hasFocusRing) || element.matches('[role=dialog], [role=group], h1')) &&
        isOnScreen,
    }
  })

/** Something has the focus, and it is visible. */
/** Waits until the focused element is visible, and inside the dialog if one is open: it reacts to keys from then on. */
async function expectVisibleFocus(page: Page, after: string): Promise<void> {
  await expect
    .poll(() => describeFocus(page), { message: after })
    .toMatchObject({ isVisible: true, isInDialog: true })
}

/** Moves to a control by Tab, with a visible focus at each step, and presses Enter. */
async function choose(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  await tabTo(page, target)
  await expectVisibleFocus(page, `on ${target.toString()}`)
  await page.keyboard.press('Enter')
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const expectFocus = (target: Locator) =>
  expect
    .poll(async () => (await hasFocus(target)) || describeFocus(target.page()), {
      message: `focus on ${target.toString()}`,
    })
    .toBe(true)

/** A click or touch in the page is logged as an error, which fails the test. */
async function failOnPointerUse(page: Page) {
  await page.addInitScript(() => {
    for (const type of ['pointerdown', 'mousedown', 'touchstart'])
      addEventListener(type, () => console.error('the pointer was used'), { capture: true })
  })
}

/** In the page: records what screen readers announce from now on. */
const recordAnnouncements = (page: Page) =>
  page.evaluate(() => {
    const announcements: string[] = []
    Object.assign(globalThis, { announcements })
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(
          '[role=status], [role=alert], [aria-live]',
        )
        const text = region?.textContent?.trim() ?? ''
        if (text !== '' && announcements.at(-1) !== text) announcements.push(text)
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
const readAnnouncements = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { announcements: string[] }).announcements)

it('with the keyboard only, from sign-up to sign-out: the focus is always visible', async () => {
  const page = await newPage({ baseURL: stack.origin, reducedMotion: 'reduce' })
  await failOnPointerUse(page)
  const email = `${crypto.randomUUID()}@example.com`

  // sign up; the first field of each step has the focus
  await page.goto('/auth')
  await button(page, 'Sign in').waitFor()
  await expectVisibleFocus(page, 'sign-in')
  await choose(page, button(page, 'Create account'))
  await expectVisibleFocus(page, 'create account')
  await typeThrough(page, ['Kay Board', 'Tab', email, 'Tab', 'correct horse', 'Enter'])
  await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
  await expectVisibleFocus(page, 'the code')
  const code = /code=(\d{6})/.exec((await stack.mail(email))[0]?.text ?? '')?.[1] ?? ''
  await page.keyboard.type(code)
  await composer(page).waitFor()
  await expectFocus(composer(page))

  await page.keyboard.type('/echo Good morning')
  await page.keyboard.press('Enter')
  await waitForReplyEnd(page)
  await expectFocus(composer(page))

  // the start and end of a reply are announced, its text is not; a short reply may arrive in one piece, with its end
  await recordAnnouncements(page)
  const listAnnouncements = async () =>
    (await readAnnouncements(page)).filter((text) => /Reply|Generation|morning/.test(text))
  await page.keyboard.type('/echo Good morning again')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await listAnnouncements()).at(-1)).toBe('Reply finished')
  expect((await listAnnouncements()).filter((text) => text !== 'Reply started')).toEqual(['Reply finished'])

  // stop, with the button and with Escape
  await page.keyboard.type('/long')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await listAnnouncements()).at(-1)).toBe('Reply started')
  await choose(page, stopButton(page))
  await waitForReplyEnd(page)
  await expect
    .poll(async () => (await listAnnouncements()).slice(-2))
    .toEqual(['Reply started', 'Generation stopped by user.'])
  await expectVisibleFocus(page, 'stopped')
  await tabTo(page, composer(page))
  await page.keyboard.type('/long')
  await page.keyboard.press('Enter')
  await stopButton(page).waitFor()
  await page.keyboard.press('Escape')
  await waitForReplyEnd(page)
  await expectFocus(composer(page))

  // edit the last message, and cancel
  await page.keyboard.press('ArrowUp')
  await expectFocus(page.getByLabel('Edit your message'))
  await page.keyboard.press('Escape')
  await expectVisibleFocus(page, 'edit cancelled')

  // history: rename, cancel renaming, delete, undo; Escape closes and returns the focus
  const historyButton = button(page, 'Your Conversations')
  await choose(page, historyButton)
  const panel = page.getByRole('dialog', { name: 'Your Conversations' })
  const more = (title: string) => button(page, `More for ${title}`)
  // Tab leads to the row, and the arrow keys to its buttons
  await tabTo(page, panel.getByRole('button', { name: /^\/echo Good morning/ }))
  await page.keyboard.press('ArrowRight')
  await expectFocus(more('/echo Good morning'))
  await page.keyboard.press('Enter')
  await chooseEntry(page, 'Rename')
  await expectFocus(page.getByRole('textbox', { name: 'Title of the conversation' }))
  await page.keyboard.type('Mornings')
  await page.keyboard.press('Enter')
  await expectFocus(more('Mornings'))
  await page.keyboard.press('Enter')
  await chooseEntry(page, 'Rename')
  await expectFocus(page.getByRole('textbox', { name: 'Title of the conversation' }))
  await page.keyboard.press('Escape')
  await expectFocus(more('Mornings'))
  await page.keyboard.press('ArrowRight')
  await expectFocus(button(page, 'Delete Mornings'))
  await page.keyboard.press('Enter')
  await panel.getByText('No conversations yet').waitFor()
  await expectVisibleFocus(page, 'deleted')
  await page.keyboard.press('Control+z')
  await more('Mornings').waitFor()
  await expectVisibleFocus(page, 'deletion undone')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expectFocus(historyButton)
  // the pointer did not move to the button: its tooltip stays closed
  expect(await page.getByRole('tooltip').count()).toBe(0)
  await page.keyboard.press('Control+Shift+O')
  await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
  await expectVisibleFocus(page, 'a fresh chat')
  await choose(page, historyButton)
  await choose(page, button(page, /^Mornings/))
  await panel.waitFor({ state: 'detached' })
  await expectFocus(composer(page))
  await choose(page, historyButton)
  await choose(page, button(page, 'Start Fresh Chat'))
  await panel.waitFor({ state: 'detached' })
  await expectFocus(composer(page))
  await page.keyboard.press('Control+k')
  await expectFocus(page.getByRole('combobox', { name: 'Search conversations and pages' }))
  await page.keyboard.type('Mornings')
  await page.getByRole('option', { name: /Mornings/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor({ state: 'detached' })
  await expectFocus(composer(page))

  // search
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Search conversations and pages' })
  await expectFocus(search)
  await page.keyboard.press('Escape')
  await search.waitFor({ state: 'detached' })
  await expectVisibleFocus(page, 'search closed')

  // account menu and shortcuts
  const menu = button(page, /account menu$/)
  await choose(page, menu)
  await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
  await page.keyboard.press('Escape')
  await expectFocus(menu)
  await page.keyboard.press('Enter')
  await chooseEntry(page, 'Keyboard shortcuts')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await expectVisibleFocus(page, 'shortcuts')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expectVisibleFocus(page, 'shortcuts closed')
  await choose(page, menu)
  await chooseEntry(page, 'Settings')
  await nameField(page).waitFor()
  await expectVisibleFocus(page, 'settings')
  await tabTo(page, nameField(page))
  await page.keyboard.press('End')
  await page.keyboard.type(' II')
  await page.keyboard.press('Enter')
  await toast(page, 'Profile updated!').waitFor()
  await expectVisibleFocus(page, 'profile saved')
  const uploads = page.getByRole('switch', { name: 'Store uploads' })
  await tabTo(page, uploads)
  await page.keyboard.press('Space')
  await expect.poll(() => uploads.getAttribute('aria-checked')).toBe('false')
  await expectVisibleFocus(page, 'a switch')
  const deleteAccountButton = button(page, 'Delete account')
  await choose(page, deleteAccountButton)
  await page.getByLabel('Type DELETE to confirm').waitFor()
  await expectVisibleFocus(page, 'deleting')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expectFocus(deleteAccountButton)
  await choose(page, button(page, 'Back'))
  await composer(page).waitFor()
  await expectVisibleFocus(page, 'back in the chat')

  // integrations
  await choose(page, page.getByRole('link', { name: 'Tools', exact: true }))
  const setUpButton = page
    .getByRole('article', { name: 'Gmail', exact: true })
    .getByRole('button', { name: /^Setup/ })
  await setUpButton.waitFor()
  await expectVisibleFocus(page, 'integrations')
  await choose(page, setUpButton)
  await page.getByRole('dialog').waitFor()
  await expectVisibleFocus(page, 'set-up')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expectFocus(setUpButton)
  await page.keyboard.press('Escape')
  await composer(page).waitFor()
  await expectVisibleFocus(page, 'left by Escape')

  // sign out
  await choose(page, menu)
  await chooseEntry(page, 'Log out')
  await page.waitForURL('**/auth')
  await button(page, 'Sign in').waitFor()
  await expectVisibleFocus(page, 'signed out')
})

it(
  'an approval request is answered by keyboard, and the focus moves on with the reply',
  { tags: 'trial' },
  async () => {
    const user = await stack.newUser()
    await connectProvider(stack, user, 'gmail')
    const { page } = await signedInPage(stack, { reducedMotion: 'reduce' }, user)
    const card = page.getByRole('group', { name: 'Send an e-mail with Gmail?' })
    const ask = async (to: string) => {
      await tabTo(page, composer(page))
      await page.keyboard.type(
        `Send an email to ${to} with the subject "Lunch" saying Shall we meet at noon?`,
      )
      await page.keyboard.press('Enter')
      await card.waitFor()
      await expectFocus(card)
    }
    await ask('cleo@example.org')
    await card.locator('footer:not([aria-disabled])').waitFor()
    await choose(page, card.getByRole('button', { name: 'Edit' }))
    await expectFocus(card.getByLabel('Message'))
    await page.keyboard.press('Escape')
    await expectFocus(card)
    // its buttons take a press once they have been there for a moment
    await card.locator('footer:not([aria-disabled])').waitFor()
    await choose(page, card.getByRole('button', { name: 'Approve' }))
    await waitForReplyEnd(page)
    await expectVisibleFocus(page, 'approved')
    await choose(page, button(page, /Gmail · Send an e-mail/))
    await expectVisibleFocus(page, 'details of the call')
    await ask('dora@example.org')
    await page.keyboard.press('Escape')
    await waitForReplyEnd(page)
    await expectVisibleFocus(page, 'stopped at the approval request')
  },
)

it('the Tab key cycles through the whole page and is never trapped', { tags: 'trial' }, async () => {
  const { page } = await signedInPage(stack, { reducedMotion: 'reduce' })
  for (const path of ['/', '/integrations', '/settings', '/files']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settled(page)
    const stops: string[] = []
    const hidden: string[] = []
    let cycles = 0
    // leaves the page from wherever it starts, then goes through it once
    for (let presses = 0; cycles < 2 && presses < 200; presses += 1) {
      await page.keyboard.press('Tab')
      const at = await describeFocus(page)
      if (!at) cycles += 1
      else if (!at.isVisible) hidden.push(at.name)
      else if (cycles === 1) stops.push(at.name)
    }
    expect({ path, cycles, hidden, first: stops[0] }).toEqual({
      path,
      cycles: 2,
      hidden: [],
      first: expect.any(String) as string,
    })
  }
})
