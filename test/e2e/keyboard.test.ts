import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newPage } from '../support/browser.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { toast } from '../support/integration-steps.ts'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import {
  composer,
  hasFocus,
  holdToasts,
  replyFinished,
  signedInPage,
  stopButton,
  tabTo,
  waitForFocus,
} from '../support/page-steps.ts'
import { nameField } from '../support/settings-steps.ts'

let stack: LocalStack
beforeAll(async () => {
  stack = await startStack({ env: { DEMO_TOKENS_PER_SECOND: '60' } })
})
afterAll(() => stack.stop())

/** What has the focus: undefined if it was lost, and the reason if it is not visible. */
const describeFocus = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return undefined
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? ''
    const shown = [
      element,
      ...(element.closest('form, label, .relative')?.querySelectorAll('*') ?? []),
      element.closest('form'),
    ]
    const isSeen = (part: Element | null) => {
      if (!part) return false
      const ringed = [undefined, '::after'].some((pseudo) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(part, pseudo)
        return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
      })
      return ringed || part.hasAttribute('data-highlighted')
    }
    const { top, bottom, width } = element.getBoundingClientRect()
    const isOnScreen = bottom > 0 && top < innerHeight && width > 0
    return {
      name: `${element.tagName.toLowerCase()} ${element.id} ${name}`,
      seen: (shown.some(isSeen) || element.matches('[role=dialog], [role=group], h1')) && isOnScreen,
    }
  })

/** Something has the focus, and it is visible. */
async function focusIsKept(page: Page, after: string): Promise<void> {
  await expect.poll(() => describeFocus(page), { message: after }).toMatchObject({ seen: true })
}

/** Moves to a control by Tab, with a visible focus at each step, and presses Enter. */
async function choose(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  await tabTo(page, target)
  await focusIsKept(page, `on ${target.toString()}`)
  await page.keyboard.press('Enter')
}

/** In an open menu: moves down to the entry of that name. */
async function chooseEntry(page: Page, name: string): Promise<void> {
  const entry = page.getByRole('menuitem', { name })
  await entry.waitFor()
  for (let presses = 0; presses < 12 && !(await hasFocus(entry)); presses += 1) {
    await page.keyboard.press('ArrowDown')
    // the menu moves its focus after the key
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(next)))
  }
  await waitForFocus(entry)
  await page.keyboard.press('Enter')
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const expectFocusReturned = (target: Locator) =>
  expect
    .poll(async () => (await hasFocus(target)) || describeFocus(target.page()), {
      message: `back on ${target.toString()}`,
    })
    .toBe(true)

/** Removes the pointer from the page. */
async function withoutPointer(page: Page) {
  await page.addInitScript(() => {
    for (const type of ['pointerdown', 'mousedown', 'touchstart'])
      addEventListener(type, () => console.error('the pointer was used'), { capture: true })
  })
}

/** In the page: records what screen readers announce from now on. */
const recordAnnouncements = (page: Page) =>
  page.evaluate(() => {
    const told: string[] = []
    Object.assign(globalThis, { told })
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(
          '[role=status], [role=alert], [aria-live]',
        )
        const text = region?.textContent?.trim() ?? ''
        if (text !== '' && told.at(-1) !== text) told.push(text)
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
const readAnnouncements = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { told: string[] }).told)

it('with the keyboard only, from sign-up to sign-out: the focus is always visible', async () => {
  const page = await newPage({ baseURL: stack.origin, reducedMotion: 'reduce' })
  await withoutPointer(page)
  const email = `${crypto.randomUUID()}@example.com`

  // sign up; the first field of each step has the focus
  await page.goto('/auth')
  await button(page, 'Sign in').waitFor()
  await focusIsKept(page, 'sign-in')
  await choose(page, button(page, 'Create account'))
  await focusIsKept(page, 'create account')
  await tabTo(page, page.getByLabel('Full name'))
  await page.keyboard.type('Kay Board')
  await page.keyboard.press('Tab')
  await page.keyboard.type(email)
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type('correct horse')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
  await focusIsKept(page, 'the code')
  const code = /code=(\d{6})/.exec((await stack.mail(email))[0]?.text ?? '')?.[1] ?? ''
  await page.keyboard.type(code)
  await composer(page).waitFor()
  await expectFocusReturned(composer(page))

  // ask; the start and end of the reply are announced, its text is not
  await recordAnnouncements(page)
  await page.keyboard.type('/echo Good morning')
  await page.keyboard.press('Enter')
  await replyFinished(page)
  await expectFocusReturned(composer(page))
  expect((await readAnnouncements(page)).filter((text) => /Reply|morning/.test(text))).toEqual([
    'Reply started',
    'Reply finished',
  ])

  // stop, with the button and with Escape
  await page.keyboard.type('/long')
  await page.keyboard.press('Enter')
  await choose(page, stopButton(page))
  await replyFinished(page)
  await focusIsKept(page, 'stopped')
  await tabTo(page, composer(page))
  await page.keyboard.type('/long')
  await page.keyboard.press('Enter')
  await stopButton(page).waitFor()
  await page.keyboard.press('Escape')
  await replyFinished(page)
  await expectFocusReturned(composer(page))

  // edit the last message, and cancel
  await page.keyboard.press('ArrowUp')
  await expectFocusReturned(page.getByLabel('Edit your message'))
  await page.keyboard.press('Escape')
  await focusIsKept(page, 'edit given up')

  await holdToasts(page)
  // history: rename, cancel renaming, delete, undo; Escape closes and returns the focus
  const open = button(page, 'Your Conversations')
  await choose(page, open)
  const panel = page.getByRole('dialog', { name: 'Your Conversations' })
  const more = (title: string) => button(page, `More for ${title}`)
  await choose(page, more('/echo Good morning'))
  await chooseEntry(page, 'Rename')
  await expectFocusReturned(page.getByRole('textbox', { name: 'Title of the conversation' }))
  await page.keyboard.type('Mornings')
  await page.keyboard.press('Enter')
  await expectFocusReturned(more('Mornings'))
  await page.keyboard.press('Enter')
  await chooseEntry(page, 'Rename')
  await expectFocusReturned(page.getByRole('textbox', { name: 'Title of the conversation' }))
  await page.keyboard.press('Escape')
  await expectFocusReturned(more('Mornings'))
  await choose(page, button(page, 'Delete Mornings'))
  await panel.getByText('No conversations yet').waitFor()
  await focusIsKept(page, 'deleted')
  await page.keyboard.press('Control+z')
  await more('Mornings').waitFor()
  await focusIsKept(page, 'taken back')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expectFocusReturned(open)
  // the pointer did not move to the button: its tooltip stays closed
  expect(await page.getByRole('tooltip').count()).toBe(0)
  await page.keyboard.press('Control+Shift+O')
  await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor()
  await focusIsKept(page, 'a fresh chat')
  await choose(page, open)
  await choose(page, button(page, /^Mornings/))
  await panel.waitFor({ state: 'detached' })
  await expectFocusReturned(composer(page))
  await choose(page, open)
  await choose(page, button(page, 'Start Fresh Chat'))
  await panel.waitFor({ state: 'detached' })
  await expectFocusReturned(composer(page))
  await page.keyboard.press('Control+k')
  await expectFocusReturned(page.getByRole('combobox', { name: 'Search conversations and pages' }))
  await page.keyboard.type('Mornings')
  await page.getByRole('option', { name: /Mornings/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: "Hi, I'm Juno" }).waitFor({ state: 'detached' })
  await expectFocusReturned(composer(page))

  // search, shortcuts
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Search conversations and pages' })
  await expectFocusReturned(search)
  await page.keyboard.press('Escape')
  await search.waitFor({ state: 'detached' })
  await focusIsKept(page, 'search closed')

  // settings
  const menu = button(page, /account menu$/)
  await choose(page, menu)
  await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
  await page.keyboard.press('Escape')
  await expectFocusReturned(menu)
  await page.keyboard.press('Enter')
  await chooseEntry(page, 'Keyboard shortcuts')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await focusIsKept(page, 'shortcuts')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await focusIsKept(page, 'shortcuts closed')
  await choose(page, menu)
  await chooseEntry(page, 'Settings')
  await nameField(page).waitFor()
  await focusIsKept(page, 'settings')
  await tabTo(page, nameField(page))
  await page.keyboard.press('End')
  await page.keyboard.type(' II')
  await page.keyboard.press('Enter')
  await toast(page, 'Profile updated!').waitFor()
  await focusIsKept(page, 'profile saved')
  const uploads = page.getByRole('switch', { name: 'Store uploads' })
  await tabTo(page, uploads)
  await page.keyboard.press('Space')
  await expect.poll(() => uploads.getAttribute('aria-checked')).toBe('false')
  await focusIsKept(page, 'a switch')
  const erase = button(page, 'Delete account')
  await choose(page, erase)
  await page.getByLabel('Type DELETE to confirm').waitFor()
  await focusIsKept(page, 'deleting')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expectFocusReturned(erase)
  await choose(page, button(page, 'Back'))
  await composer(page).waitFor()
  await focusIsKept(page, 'back in the chat')

  // integrations
  await choose(page, page.getByRole('link', { name: 'Tools', exact: true }))
  const set = page
    .getByRole('article', { name: 'Gmail', exact: true })
    .getByRole('button', { name: /^Setup/ })
  await set.waitFor()
  await focusIsKept(page, 'integrations')
  await choose(page, set)
  await page.getByRole('dialog').waitFor()
  await focusIsKept(page, 'set-up')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expectFocusReturned(set)
  await page.keyboard.press('Escape')
  await composer(page).waitFor()
  await focusIsKept(page, 'left by Escape')

  // sign out
  await choose(page, menu)
  await chooseEntry(page, 'Log out')
  await page.waitForURL('**/auth')
  await button(page, 'Sign in').waitFor()
  await focusIsKept(page, 'signed out')
})

it('a question of the assistant is answered with the keyboard, and the focus moves on with the reply', async () => {
  const user = await stack.newUser()
  await connectProvider(stack, user, 'gmail')
  const { page } = await signedInPage(stack, { reducedMotion: 'reduce' }, user)
  const card = page.getByRole('group', { name: 'Send an e-mail with Gmail?' })
  const ask = async (to: string) => {
    await tabTo(page, composer(page))
    await page.keyboard.type(`Send an email to ${to} with the subject "Lunch" saying Shall we meet at noon?`)
    await page.keyboard.press('Enter')
    await card.waitFor()
    await expectFocusReturned(card)
  }
  await ask('cleo@example.org')
  await choose(page, card.getByLabel('Subject'))
  await page.keyboard.press('Escape')
  await expectFocusReturned(card)
  await choose(page, card.getByRole('button', { name: 'Approve' }))
  await replyFinished(page)
  await focusIsKept(page, 'approved')
  await choose(page, button(page, /Gmail · Send an e-mail/))
  await focusIsKept(page, 'its details')
  await ask('dora@example.org')
  await page.keyboard.press('Escape')
  await replyFinished(page)
  await focusIsKept(page, 'stopped at the question')
})

it('the Tab key goes round the whole page and is never trapped', { tags: 'long' }, async () => {
  const { page } = await signedInPage(stack, { reducedMotion: 'reduce' })
  for (const path of ['/', '/integrations', '/settings', '/files']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    const stops: string[] = []
    const unseen: string[] = []
    let rounds = 0
    // from any start out of the page, to the browser’s own controls, and once round
    for (let presses = 0; rounds < 2 && presses < 200; presses += 1) {
      await page.keyboard.press('Tab')
      const at = await describeFocus(page)
      if (!at) rounds += 1
      else if (!at.seen) unseen.push(at.name)
      else if (rounds === 1) stops.push(at.name)
    }
    expect({ path, rounds, unseen, first: stops[0] }).toEqual({
      path,
      rounds: 2,
      unseen: [],
      first: expect.any(String) as string,
    })
  }
})
