/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { expectFailures, newPage, waitForFrames, type PageOptions } from '../support/browser.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { png } from '../support/document-samples.ts'
import { card, fillSetup, openCatalogue } from '../support/integration-steps.ts'
import {
  findCutOffElements,
  findMovingElements,
  findSmallTargets,
  findUnseenInForcedColors,
} from '../support/layout-faults.ts'
import {
  cognitoRefusal,
  composer,
  submitSignIn,
  openHistory,
  refreshSession,
  waitForReplyEnd,
  sendMessage,
  sharePage,
  signedInPage,
  signInAgainDialog,
  stopButton,
} from '../support/page-steps.ts'
import { revokeNewestGrant } from '../support/revoke-grant.ts'
import { nameField } from '../support/settings-steps.ts'
import type { StackUser } from '../support/stack-user.ts'
import { enrolOnPage, verificationCode, verifyButton } from '../support/two-factor-steps.ts'
import { enrol } from '../support/two-factor.ts'
import { uploadFile } from '../support/upload.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

const reduced = { reducedMotion: 'reduce' } as const
const openSignedOut = (options: Partial<PageOptions> = {}) =>
  newPage({ baseURL: stack.origin, ...reduced, ...options })
const openSignedIn = async (known?: StackUser) => (await signedInPage(stack, reduced, known)).page
const sharedPage = sharePage(() => signedInPage(stack, reduced))

const wide = { width: 1240, height: 800 }
/** The narrowest width that WCAG requires, with the height of the smallest phones. */
const narrow = { width: 320, height: 568 }

type Look = 'light, wide' | 'dark, narrow'

/** Presses a button of a card until it is taken: the card takes no press while its buttons are new in their positions, as after a look at another size. */
const pressOnCard = (page: Page, name: string) =>
  expect
    .poll(async () => {
      const [shown] = await button(page, name).elementHandles()
      // it may be gone meanwhile
      await shown?.click().catch(() => undefined)
      return button(page, name).isVisible()
    })
    .toBe(false)

/** Checks a state of the page in one look, or in both themes, wide and narrow, with forced colours and enlarged. */
async function inspectState(page: Page, state: string, look: Look | 'every'): Promise<void> {
  const isThorough = look === 'every'
  const found: Record<string, string[]> = {}
  const note = (how: string, faults: string[]) => {
    if (faults.length > 0) found[how] = faults
  }
  const show = async (colorScheme: 'light' | 'dark', viewport: typeof wide) => {
    await Promise.all([page.emulateMedia({ colorScheme }), page.setViewportSize(viewport)])
    await waitForFrames(page)
  }
  // what has moved below the pointer would open its tooltip
  await page.mouse.move(1, 1)
  note('reduced motion', await findMovingElements(page))
  if (look !== 'dark, narrow') note('light, wide', await findViolations(page))
  if (isThorough) {
    await show('dark', wide)
    note('dark, wide', await findViolations(page, 'color-contrast'))
  }
  if (look !== 'light, wide') {
    await show('dark', narrow)
    note('dark, narrow', await findViolations(page))
    note('narrow', await findCutOffElements(page))
    note('for fingers', await findSmallTargets(page))
    if (isThorough) {
      await show('light', narrow)
      note('light, narrow', await findViolations(page, 'color-contrast'))
    }
    await show('light', wide)
  }
  if (isThorough) await inspectEnlarged(page, note)
  expect.soft(found, state).toEqual({})
}

/** Checks the state with forced colours, and with letters of twice the size. */
async function inspectEnlarged(page: Page, note: (how: string, faults: string[]) => void): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' })
  note('forced colours', await findUnseenInForcedColors(page))
  await page.emulateMedia({ forcedColors: 'none' })
  const enlarge = (size: string) =>
    page.evaluate((value) => {
      document.documentElement.style.fontSize = value
    }, size)
  await enlarge('200%')
  note('letters of twice the size', await findCutOffElements(page))
  await enlarge('')
}

/** These requests get no response, or a refusal of the service, until the page is told otherwise. */
async function interceptResponse(
  page: Page,
  url: string,
  how: 'never' | 'failing',
): Promise<() => Promise<void>> {
  if (how === 'failing') expectFailures(page, { url: /./, status: 400 })
  await page.route(url, (route) =>
    how === 'failing'
      ? route.fulfill({
          // permanent refusals are not retried, so nothing has to be waited for
          status: 400,
          json: { success: false, error: 'The service rests.', code: 'unavailable', requestId: 'x' },
        })
      : undefined,
  )
  return () => page.unroute(url)
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })

/** Each leads through states of the page, and checks every one of them. */
type Inspect = (page: Page, state: string) => Promise<void>

const walks: Record<string, (inspect: Inspect) => Promise<void>> = {
  'signing in': async (inspect) => {
    const page = await openSignedOut({ expected: [cognitoRefusal] })
    await page.goto('/auth')
    await button(page, 'Sign in').waitFor()
    await inspect(page, 'sign-in')
    await button(page, 'Sign in').click()
    await page.locator('[aria-invalid]').first().waitFor()
    await inspect(page, 'sign-in, nothing typed')
    await submitSignIn(page, { email: 'nobody@example.com', password: 'not this one' })
    await page.getByText('Invalid email or password. Please try again.').first().waitFor()
    await inspect(page, 'sign-in, refused')
    await button(page, 'Forgot your password?').click()
    await page.getByLabel('New password', { exact: true }).waitFor()
    await inspect(page, 'new password')
    await button(page, 'Back to sign in').click()
    await button(page, 'Create account').click()
    await page.getByLabel('Full name').fill('Mika Kaas')
    await inspect(page, 'create account')
    await page.getByLabel('E-mail').fill(`${crypto.randomUUID()}@example.com`)
    await page.getByLabel('Password', { exact: true }).fill('correct horse')
    await page.keyboard.press('Enter')
    await page.getByText('Account created! Please check your email').waitFor()
    await inspect(page, 'check your e-mail')
    await page.getByRole('textbox', { name: /code/i }).fill('000000')
    await page.locator('[aria-invalid=true]').waitFor()
    await inspect(page, 'check your e-mail, wrong code')
  },
  'the second step': async (inspect) => {
    const user = await stack.newUser()
    await enrol(user)
    const page = await openSignedOut()
    await page.goto('/auth')
    await submitSignIn(page, user)
    await verificationCode(page).waitFor()
    await inspect(page, 'second step')
    await button(page, 'Use a backup code').click()
    await verifyButton(page).waitFor()
    await inspect(page, 'second step by backup code')
  },
  'two-factor': async (inspect) => {
    const { page, user } = await signedInPage(stack, reduced)
    const release = await interceptResponse(page, '**/setup-2fa', 'never')
    await page.goto('/settings#security')
    await button(page, /Enable 2FA/).click()
    await page.getByText('Preparing your key…').waitFor()
    await inspect(page, 'two-factor, preparing')
    await release()
    await page.goto('/')
    await refreshSession(page)
    expectFailures(page, { url: /setup-2fa$/, status: 403 })
    await page.goto('/settings#security')
    await button(page, /Enable 2FA/).click()
    await signInAgainDialog(page).waitFor()
    await inspect(page, 'two-factor, sign in again')
    await signInAgainDialog(page).getByLabel('Password', { exact: true }).fill(user.password)
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await page.reload()
    await button(page, /Enable 2FA/).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await inspect(page, 'two-factor, key')
    await page.keyboard.press('Escape')
    await enrolOnPage(page)
    await inspect(page, 'two-factor, codes')
    await button(page, 'Continue to Settings').click()
    await page.getByText('10 backup codes left').waitFor()
    await inspect(page, 'two-factor on')
    expectFailures(page, { url: /setup-2fa$/, status: 403 })
    const refused = Promise.withResolvers<void>()
    await page.route('**/setup-2fa', async (route) => {
      await refused.promise
      await route.fulfill({
        status: 403,
        json: { success: false, error: 'Show that it is you.', code: 'proof_required', requestId: 'x' },
      })
    })
    await button(page, 'Disable').click()
    const dialog = page.getByRole('dialog', { name: 'Disable two-factor authentication?' })
    await dialog.waitFor()
    await inspect(page, 'two-factor, confirmation')
    await dialog.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Disabling').waitFor()
    await inspect(page, 'two-factor, disabling')
    refused.resolve()
    await dialog.getByLabel('Verification code').waitFor()
    await inspect(page, 'two-factor, proof')
  },
  'a temporary chat': async (inspect) => {
    const { page, user } = await signedInPage(stack, reduced)
    await user.call('account.settings', { body: { keep_conversations: false } })
    await page.reload()
    await page.getByText('This chat is temporary.').waitFor()
    await sendMessage(page, 'Hello')
    await waitForReplyEnd(page)
    await inspect(page, 'temporary chat')
    await button(page, /account menu/).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('dialog', { name: 'Leave this temporary chat?' }).waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await inspect(page, 'temporary chat, leaving')
  },
  settings: async (inspect) => {
    const { page } = await sharedPage()
    const release = await interceptResponse(page, '**/api/account', 'never')
    await page.goto('/settings#profile')
    await page.getByRole('progressbar', { name: 'Loading your settings' }).waitFor()
    await inspect(page, 'settings, loading')
    await release()
    await page.reload()
    await page.getByText('Recommended').waitFor()
    await page.getByText(/0 custom tools/).waitFor()
    await inspect(page, 'settings')
    await nameField(page).fill('Somebody else')
    await button(page, 'Back').click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await inspect(page, 'settings, leaving')
    await button(page, 'Keep editing').click()
    await button(page, 'Delete account').click()
    await page.getByLabel('Type DELETE to confirm').fill('DELETE')
    await interceptResponse(page, '**/api/account', 'failing')
    await interceptResponse(page, '**/api/account/erase', 'failing')
    await button(page, 'Delete for good').click()
    await page.getByRole('dialog').getByText('The service rests.').waitFor()
    await inspect(page, 'settings, deleting failed')
  },
  'settings, not loaded': async (inspect) => {
    // a page of its own: a refusal that arrives late must not count against the next walk
    const page = await openSignedIn()
    await interceptResponse(page, '**/api/account', 'failing')
    await page.goto('/settings')
    await button(page, 'Try again').first().waitFor()
    await inspect(page, 'settings, not loaded')
  },
  'a chat': async (inspect) => {
    const { page } = await sharedPage()
    await inspect(page, 'chat, empty')
    await sendMessage(page, '/hang')
    await page.getByText('Juno is thinking...').first().waitFor()
    await inspect(page, 'chat, thinking')
    await stopButton(page).click()
    await page.getByText('Generation stopped by user.').first().waitFor()
    await sendMessage(page, '/markdown')
    await waitForReplyEnd(page)
    await inspect(page, 'chat, markdown')
    await composer(page).fill('')
    // away from the button that the reply has moved under the pointer, whose tooltip would open
    await page.mouse.move(1, 1)
    await page.keyboard.press('ArrowUp')
    await page.getByLabel('Edit your message').waitFor()
    await inspect(page, 'chat, editing')
    await page.keyboard.press('Escape')
    const begun = page.waitForResponse(/chat-openai$/)
    await sendMessage(page, '/slow 60000')
    await begun
    expectFailures(page, { url: /./, status: 'network' })
    // the browser may report being offline a moment too early: the page would then still reach the service
    await page.route('**/api/health', (route) => route.abort('internetdisconnected'))
    await page.context().setOffline(true)
    await page.getByText('Offline. Your text stays here.').waitFor()
    await inspect(page, 'chat, offline')
    await page.context().setOffline(false)
    await page.unroute('**/api/health')
    await page.getByText('Offline. Your text stays here.').waitFor({ state: 'detached' })
    await stopButton(page).click()
    await waitForReplyEnd(page)
    // away from the button that replaces Stop, whose tooltip would open
    await page.mouse.move(1, 1)
    await sendMessage(page, '/fail')
    await page.getByRole('group', { name: 'Error' }).getByText(/error/i).first().waitFor()
    await inspect(page, 'chat, failed')
  },
  'a conversation that is not there': async (inspect) => {
    const { page } = await sharedPage()
    const address = `/?c=${crypto.randomUUID()}`
    expectFailures(page, { url: /\/api\/sessions\//, status: 404 })
    const release = await interceptResponse(page, '**/api/sessions/**', 'never')
    await page.goto(address)
    await page.getByRole('group', { name: 'Loading the conversation' }).waitFor()
    await inspect(page, 'conversation, loading')
    await release()
    await page.reload()
    await page.getByText('This conversation no longer exists.').waitFor()
    await inspect(page, 'conversation, missing')
  },
  'menus and lists': async (inspect) => {
    const page = await openSignedIn()
    await button(page, /account menu$/).click()
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
    await inspect(page, 'account menu')
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await inspect(page, 'shortcuts')
    await page.keyboard.press('Escape')
    const release = await interceptResponse(page, '**/api/sessions?*', 'failing')
    await openHistory(page)
    await page.getByText('Your conversations could not be loaded.').waitFor()
    await inspect(page, 'history, unreadable')
    await release()
    await button(page, 'Try again').click()
    await page.getByText('No conversations yet').waitFor()
    await inspect(page, 'history, empty')
    await page.keyboard.press('Escape')
    await sendMessage(page, 'Tell me about Rome')
    await waitForReplyEnd(page)
    await openHistory(page)
    const more = button(page, 'More for Tell me about Rome')
    await more.waitFor()
    await inspect(page, 'history')
    await more.click()
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    await inspect(page, 'history, menu')
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Title of the conversation' }).waitFor()
    await inspect(page, 'history, renaming')
    await page.keyboard.press('Escape')
    await button(page, 'Delete Tell me about Rome').click()
    await button(page, 'Undo').waitFor()
    await inspect(page, 'history, deleted')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    const field = page.getByRole('dialog').getByRole('combobox')
    await field.fill('Rome')
    await page.getByRole('option').first().waitFor()
    await inspect(page, 'search')
    await field.fill('never said')
    await page.getByText('Nothing found for “never said”.').waitFor()
    await inspect(page, 'search, nothing found')
  },
  tools: async (inspect) => {
    const user = await stack.newUser()
    for (const mcpId of ['gmail', 'hubspot']) await connectProvider(stack, user, mcpId)
    const page = await openSignedIn(user)
    await button(page, /, Gmail: /).click()
    await page.getByRole('dialog').waitFor()
    await inspect(page, 'badge')
    await page.keyboard.press('Escape')
    await sendMessage(
      page,
      'Send an email to cleo@example.org with the subject "Lunch" saying Shall we meet at noon?',
    )
    await page.getByRole('group', { name: 'Send an e-mail with Gmail?' }).waitFor()
    await inspect(page, 'approval')
    await pressOnCard(page, 'Approve')
    await button(page, /Gmail · Send an e-mail/).click()
    await waitForReplyEnd(page)
    await inspect(page, 'tool line')
    await revokeNewestGrant(stack, 'gmail')
    await sendMessage(page, 'Show my recent emails')
    await button(page, 'Reconnect').waitFor()
    await inspect(page, 'reconnect')
    await pressOnCard(page, 'Not now')
    await waitForReplyEnd(page)
    await page.goto('/settings#activity')
    await page.getByRole('list', { name: 'What the assistant did' }).getByRole('button').first().click()
    await inspect(page, 'settings, what was done')
    await page.goto('/integrations')
    await card(page, 'HubSpot')
      .getByText(/capabilities/)
      .waitFor()
    await inspect(page, 'integrations, connected')
  },
  integrations: async (inspect) => {
    const page = await openSignedIn()
    const release = await interceptResponse(page, '**/api/user-integrations', 'failing')
    await openCatalogue(page)
    await inspect(page, 'integrations')
    await release()
    await fillSetup(page, 'Gmail', 'demo')
    await inspect(page, 'integrations, set-up')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByPlaceholder('Search integrations').fill('no such thing')
    await card(page, 'Gmail').waitFor({ state: 'detached' })
    await inspect(page, 'integrations, nothing found')
    await button(page, /Add Custom/).click()
    await page.getByText('No custom tools yet').waitFor()
    await inspect(page, 'custom tools, none')
    await button(page, /Add Custom MCP Tool/).click()
    const add = page.getByRole('dialog', { name: 'Add Custom MCP Tool' })
    await add.getByRole('button', { name: 'Add tool' }).click()
    await add.locator('[aria-invalid=true]').waitFor()
    await inspect(page, 'custom tools, adding')
    await add.getByLabel('Name').fill('Roast log')
    await add.getByRole('button', { name: 'Add tool' }).click()
    await page.getByRole('list', { name: 'Custom tools' }).waitFor()
    await inspect(page, 'custom tools')
  },
  files: async (inspect) => {
    const { user, page } = await signedInPage(stack, reduced)
    const file = { name: 'large.png', mimeType: 'image/png', buffer: png(600, 400) }
    const attached = page.getByRole('list', { name: 'Attached files' })
    await page
      .getByLabel('Files to attach')
      .setInputFiles([file, { ...file, name: 'nothing.txt', buffer: Buffer.alloc(0) }])
    await attached.getByText('ready').waitFor()
    await inspect(page, 'files attached')
    await composer(page).fill('Look')
    await page.keyboard.press('Enter')
    await waitForReplyEnd(page)
    await button(page, /large\.png/).click()
    await page.getByRole('dialog', { name: 'large.png' }).getByRole('img').waitFor()
    await inspect(page, 'viewer')
    await uploadFile(user, {
      name: 'a-name-without-a-place-to-break-in-that-goes-on-and-on.txt',
      type: 'text/plain',
      content: 'hello',
    })
    await page.goto('/files')
    await button(page, /^Delete a-name/).waitFor()
    await inspect(page, 'files')
    await button(page, /^Delete a-name/).click()
    await page.getByRole('dialog', { name: 'Delete this file?' }).waitFor()
    await inspect(page, 'files, deleting')
    await page.keyboard.press('Escape')
    await interceptResponse(page, '**/api/attachments**', 'failing')
    await page.reload()
    await page.getByText('Your files could not be loaded.').waitFor()
    await inspect(page, 'files, unreadable')
  },
  'other pages': async (inspect) => {
    const page = await openSignedOut()
    await page.goto('/nowhere')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await inspect(page, 'no such page')
    await page.goto('/oauth/callback?error=access_denied')
    await page.getByRole('heading', { name: 'Not connected' }).waitFor()
    await inspect(page, 'not connected')
    await interceptResponse(page, '**/config.json', 'never')
    await page.goto('/auth')
    await page.getByText('Loading', { exact: true }).waitFor({ state: 'attached' })
    await inspect(page, 'loading')
  },
}

it.each(Object.entries(walks))(
  'every state is accessible, one light and wide, the next dark and narrow: %s',
  async (_, walk) => {
    let states = 0
    await walk((page, state) => {
      states += 1
      return inspectState(page, state, states % 2 === 0 ? 'dark, narrow' : 'light, wide')
    })
  },
)

it.each(Object.entries(walks))(
  'every state is accessible in both themes, wide and narrow, in forced colours and enlarged: %s',
  { tags: 'trial' },
  (_, walk) => walk((page, state) => inspectState(page, state, 'every')),
)
