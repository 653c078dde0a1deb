import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { expectFailures, forEachSizeAndTheme, screenshot, screenshotEachLook } from '../support/browser.ts'
import { calls, says } from '../support/fake-model-server.ts'
import {
  composer,
  submitSignIn,
  openHistory,
  waitForReplyEnd,
  sendMessage,
  sharePage,
  signedInPage,
  waitForFocus,
} from '../support/page-steps.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import { backButton, nameField, openSettings, saveButton } from '../support/settings-steps.ts'

const { model, stack, table } = await scriptedStack('Hello.')
const sharedPage = sharePage(() => signedInPage(stack))

const keepSwitch = (page: Page) => page.getByRole('switch', { name: 'Keep conversations' })
const uploadsSwitch = (page: Page) => page.getByRole('switch', { name: 'Store uploads' })

async function readRows(sub: string) {
  return JSON.stringify(await table.readRows(sub))
}

it('each section has an address of its own, and is reached by its link', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  const isAtTop = (name: string) =>
    page
      .getByRole('heading', { name, exact: true, level: 2 })
      .evaluate((heading) => heading.getBoundingClientRect().top < innerHeight / 3)
  await openSettings(page)
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Memory' }).click()
  await expect.poll(() => isAtTop('Memory')).toBe(true)
  expect(new URL(page.url()).hash).toBe('#memory')
  await page.goto('/settings#security')
  await page.reload()
  await expect.poll(() => isAtTop('Security Settings')).toBe(true)

  // followed from the search while the page is open
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search conversations and pages' }).fill('notifications')
  await page.getByRole('option', { name: 'Notifications Settings' }).click()
  await expect.poll(() => isAtTop('Notifications')).toBe(true)
  await forEachSizeAndTheme(page, (look) => screenshot(page, `settings-sections-${look}`))
})

it('NAV-06 MENU-04 MENU-05 is the same page at both addresses', async () => {
  const { page } = await sharedPage()
  const texts: string[] = []
  for (const [entry, path] of [
    ['Profile', '/profile'],
    ['Settings', '/settings'],
  ] as const) {
    await openSettings(page, entry)
    expect(new URL(page.url()).pathname).toBe(path)
    await page.getByRole('heading', { name: 'Settings', exact: true, level: 1 }).waitFor()
    // its figures and lists have loaded by then
    await page.getByText(/0 files/).waitFor()
    await page.getByText('Nothing yet. Each day with a reply is listed here.').waitFor()
    await page.getByText('Nothing yet. Calls of your tools are listed here.').waitFor()
    await page
      .getByText('None: in your chats, every call that writes, sends or deletes asks first.')
      .waitFor()
    await page.getByText(/No links yet\./).waitFor()
    await page.getByText('Recommended', { exact: true }).waitFor()
    await page.getByText('Nothing yet.', { exact: true }).waitFor()
    texts.push(await page.getByRole('main').innerText())
    await backButton(page).click()
    await composer(page).waitFor()
  }
  expect(texts[0]).toContain('Your Profile')
  expect(texts[1]).toBe(texts[0])
})

it('SET-01 SET-02 SET-03 the header stays visible, and leads back to the chat', async () => {
  const { page } = await sharedPage()
  await page.setViewportSize({ width: 1280, height: 500 })
  await openSettings(page)
  const title = page.getByRole('heading', { name: 'Settings', exact: true, level: 1 })
  await page.getByText('Manage your account preferences').waitFor()
  await page.getByRole('heading', { name: 'What the assistant did' }).scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 5_000)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100)
  expect((await title.boundingBox())?.y).toBeGreaterThanOrEqual(0)
  expect((await backButton(page).boundingBox())?.y).toBeGreaterThanOrEqual(0)
  await backButton(page).click()
  await page.waitForURL(`${stack.origin}/`)
  await page.setViewportSize({ width: 1280, height: 800 })
})

/** A month in the format of `account.usage`. */
function aMonthOfUsage() {
  const days = Array.from({ length: 31 }, (_, index) => ({
    day: new Date(Date.UTC(2026, 10, 30 - index)).toISOString().slice(0, 10),
    replies: 40 + index,
    inputTokens: 1_234_567 - index * 35_000,
    cachedInputTokens: 1_000_000,
    outputTokens: 98_765,
    images: 3,
    cost: 12.34,
  }))
  const total = { ...days[0], replies: 1_705, inputTokens: 22_000_000, unpricedTokens: 5_000 }
  return {
    days,
    total,
    today: {
      tokens: { used: 1_333_332, limit: 5_000_000 },
      images: { used: 3, limit: 50 },
      resets_at: '2026-12-01T00:00:00.000Z',
    },
  }
}

it('SET-04 SET-14 DEC-127 has its cards in order, Your Profile first, and fits the screen', async () => {
  const { page } = await sharedPage()
  await page.route('**/api/account/usage', (route) => route.fulfill({ json: aMonthOfUsage() }))
  await openSettings(page)
  await page.getByRole('group', { name: 'By day' }).waitFor()
  const headings = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()
  expect(headings.slice(0, 3)).toEqual([
    'Your Profile',
    'Privacy & Your Digital Footprint',
    'Security Settings',
  ])
  expect(headings.slice(3)).toEqual([
    'Notifications',
    'Custom instructions',
    'Memory',
    'Saved prompts',
    'Import conversations',
    'Usage',
    'What the assistant did',
    'Shared links',
  ])
  await page.getByText('Two-Factor Authentication').first().waitFor()
  await page.getByRole('button', { name: 'Change Password' }).waitFor()
  await page.getByText(/0 files/).waitFor()
  await forEachSizeAndTheme(page, async (look) => {
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      .toBe(true)
    await screenshot(page, `settings-${look}`, { fullPage: true })
  })
  await page.unroute('**/api/account/usage')
  const licences = page.getByRole('link', { name: 'Third-party licences' })
  await expect.poll(() => licences.getAttribute('href')).toBe('/licences.txt')
})

it(
  'SET-08 SET-09 SET-11 asks new users for their name, and has two switches, both on',
  { tags: 'trial' },
  async () => {
    const { page, user } = await sharedPage()
    await openSettings(page)
    await expect.poll(() => nameField(page).getAttribute('placeholder')).toBe('Your display name')
    await expect.poll(() => nameField(page).inputValue()).toBe(user.name)
    await expect.poll(() => saveButton(page).isDisabled()).toBe(true)
    const privacy = page.locator('section').filter({ hasText: 'Privacy & Your Digital Footprint' })
    await expect.poll(() => privacy.getByRole('switch').count()).toBe(2)
    for (const one of [keepSwitch(page), uploadsSwitch(page)])
      await expect.poll(() => one.getAttribute('aria-checked')).toBe('true')
  },
)

it(
  'saves custom instructions, which apply to the next reply, and warns before they are lost',
  { tags: 'trial' },
  async () => {
    const { page, user } = await signedInPage(stack)
    await openSettings(page)
    const field = page.getByLabel('What should Juno know about you, and how should it reply?')
    const saveInstructions = page.getByRole('button', { name: 'Save instructions' })
    await expect.poll(() => saveInstructions.isDisabled()).toBe(true)
    await field.fill('  I am a nurse in Oslo. ')
    await backButton(page).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'Keep editing' }).click()
    await saveInstructions.click()
    await page.getByText('Instructions saved!').waitFor()
    await expect.poll(() => field.inputValue()).toBe('I am a nurse in Oslo.')
    await backButton(page).click()
    await sendMessage(page, 'Hello')
    await waitForReplyEnd(page)
    expect(JSON.stringify(model.requests.at(-1))).toContain('I am a nurse in Oslo.')
    expect((await user.call('account.read')).settings.instructions).toBe('I am a nurse in Oslo.')
  },
)

it(
  'DEC-177 memory: a reply shows what it remembered, Undo removes it, and the list is edited in the settings',
  { tags: 'trial' },
  async () => {
    const { page, user } = await signedInPage(stack)
    await openSettings(page)
    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Memory' }) })
    await card.getByText('Nothing yet.').waitFor()
    await card.getByRole('switch', { name: 'Remember facts about me' }).click()
    await card.getByText(/Tell Juno in a chat to remember something/).waitFor()
    await expect.poll(async () => (await user.call('account.read')).settings.memory).toBe(true)
    await backButton(page).click()
    const remember = (text: string) =>
      calls({ id: 'c1', name: 'remember', arguments: JSON.stringify({ text }) })
    model.behave(remember('Lives in Oslo'), says('Noted.'), remember('Likes liver'), says('Noted too.'))
    await sendMessage(page, 'Remember that I live in Oslo')
    await waitForReplyEnd(page)
    await sendMessage(page, 'And that I like liver')
    await waitForReplyEnd(page)
    await page.getByRole('button', { name: 'Undo: Lives in Oslo' }).waitFor()
    await page.getByRole('button', { name: 'Undo: Likes liver' }).click()
    await page.getByText('Remembered, then deleted: Likes liver').waitFor()
    await page.reload()
    await page.getByText('Remembered, then deleted: Likes liver').waitFor()
    await screenshotEachLook(page, 'memory-reply')
    await openSettings(page)
    await card.getByText('1 of 100').waitFor()
    await card.getByRole('button', { name: 'Edit: Lives in Oslo' }).click()
    await waitForFocus(card.getByLabel('Edit the memory'))
    await page.keyboard.press('End')
    await page.keyboard.type(' with two cats')
    await card.scrollIntoViewIfNeeded()
    await screenshotEachLook(page, 'memory-card')
    await card.getByLabel('Edit the memory').press('Enter')
    await card.getByRole('button', { name: 'Edit: Lives in Oslo with two cats' }).waitFor()
    const { memories } = await user.call('memory.list')
    expect(memories.map(({ text, version }) => [text, version])).toEqual([['Lives in Oslo with two cats', 2]])
  },
)

it('NAV-12 NAV-13 DEC-016 sends a visitor of the settings or the integrations to the sign-in page, and back afterwards', async () => {
  const { page, user } = await signedInPage(stack)
  await page.evaluate(() => localStorage.clear())
  await page.goto('/settings')
  await submitSignIn(page, user)
  await nameField(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/integrations')
  await page.waitForURL('/auth')
  await submitSignIn(page, user)
  await page.waitForURL('/integrations')
  await page.getByRole('article', { name: 'Gmail', exact: true }).waitFor()
})

it(
  'SET-10 SET-22 AUTH-20 saves the name, shows it in the menu and sends it to the model',
  { tags: 'trial' },
  async () => {
    const { page, user } = await signedInPage(stack)
    await openSettings(page)
    await nameField(page).fill('  Captain\u202E Ahab ')
    await saveButton(page).click()
    await page.getByText('Profile updated!').waitFor()
    await page.getByText('Your changes have been saved successfully.').waitFor()
    await expect.poll(() => nameField(page).inputValue()).toBe('Captain Ahab')
    await expect.poll(() => saveButton(page).isDisabled()).toBe(true)
    await backButton(page).click()
    await page.getByRole('button', { name: 'CA, account menu' }).click()
    await page.getByText('Captain Ahab').waitFor()
    await page.keyboard.press('Escape')
    await sendMessage(page, 'Who am I?')
    await waitForReplyEnd(page)
    expect(JSON.stringify(model.requests.at(-1))).toContain('Captain Ahab')
    expect((await table.readRows(user.sub)).find(({ SK }) => SK === 'PROFILE')).toMatchObject({
      display_name: 'Captain Ahab',
    })
  },
)

it(
  'SET-23 DEC-033 says when saving failed: the input stays, and a switch goes back',
  { tags: 'trial' },
  async () => {
    const { page } = await signedInPage(stack)
    await openSettings(page)
    await nameField(page).fill('Ishmael')
    expectFailures(page, { url: /\/api\/account(\/settings)?$/, status: 'network' })
    await page.route('**/api/account', (route) => route.abort())
    await page.route('**/api/account/settings', (route) => route.abort())
    const failures = page.getByText('Update failed')
    await saveButton(page).click()
    await failures.waitFor()
    await expect.poll(() => nameField(page).inputValue()).toBe('Ishmael')
    await expect.poll(() => saveButton(page).isDisabled()).toBe(false)
    await keepSwitch(page).click()
    await expect.poll(() => failures.count()).toBe(2)
    await expect.poll(() => keepSwitch(page).getAttribute('aria-checked')).toBe('true')
  },
)

it('warns of unsaved changes on the page’s and the browser’s Back', { tags: 'trial' }, async () => {
  const { page } = await sharedPage()
  await openSettings(page)
  await nameField(page).fill('Half a name')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await backButton(page).click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.poll(() => nameField(page).inputValue()).toBe('Half a name')
  await page.goBack()
  await question.waitFor()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.poll(() => nameField(page).inputValue()).toBe('Half a name')
  expect(new URL(page.url()).pathname).toBe('/settings')
  await page.goBack()
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await composer(page).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
})

it('goes back in one step once changes are saved or reverted', { tags: 'long' }, async () => {
  const { page } = await sharedPage()
  await openSettings(page)
  const before = await nameField(page).inputValue()
  await nameField(page).fill('x')
  await nameField(page).fill(before)
  await expect.poll(() => saveButton(page).isDisabled()).toBe(true)
  await page.goBack()
  await composer(page).waitFor()
})

it(
  'DEC-033 SET-12 with "keep conversations" off nothing of a new chat is stored, and the page says so',
  { tags: 'trial' },
  async () => {
    const { page, user } = await signedInPage(stack)
    await sendMessage(page, 'CANARY-before')
    await waitForReplyEnd(page)
    await openSettings(page)
    await keepSwitch(page).click()
    await page.getByText('1 conversation from before is still saved.').waitFor()
    await page.goto('/')
    await page
      .getByText('This chat is temporary. It is gone when you leave or reload the page.', { exact: false })
      .waitFor()
    model.behave(says('CANARY-reply'))
    await sendMessage(page, 'CANARY-question')
    await page.getByText('CANARY-reply', { exact: true }).first().waitFor()
    await waitForReplyEnd(page)
    expect(new URL(page.url()).search).toBe('')
    // the earlier messages are sent along with the next one
    await sendMessage(page, 'And again')
    await waitForReplyEnd(page)
    expect(JSON.stringify(model.requests.at(-1))).toMatch(/CANARY-question.*CANARY-reply.*And again/)
    const contents = await readRows(user.sub)
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
  },
)

it('DEC-033 deletes earlier conversations on request', { tags: 'trial' }, async () => {
  const { page, user } = await signedInPage(stack)
  for (const text of ['CANARY-one', 'CANARY-two']) {
    await page.goto('/')
    await sendMessage(page, text)
    await waitForReplyEnd(page)
  }
  await openSettings(page)
  await page
    .getByText('2 conversations, 4 messages, 0 files, 0 integrations, 0 credentials, 0 custom tools')
    .waitFor()
  await keepSwitch(page).click()
  await page.getByRole('button', { name: 'Delete saved conversations' }).click()
  await page
    .getByRole('dialog', { name: 'Delete 2 saved conversations?' })
    .getByRole('button', { name: 'Delete', exact: true })
    .click()
  await page.getByText('Conversations deleted').waitFor()
  await page
    .getByText('0 conversations, 0 messages, 0 files, 0 integrations, 0 credentials, 0 custom tools')
    .waitFor()
  expect(await readRows(user.sub)).not.toContain('CANARY')
})

it('SET-12 SET-13 switches are stored and survive a reload', { tags: 'trial' }, async () => {
  const { page, user } = await signedInPage(stack)
  await openSettings(page)
  const stored = page.waitForResponse((response) => response.url().endsWith('/api/account/settings'))
  await uploadsSwitch(page).click()
  await stored
  await page.reload()
  await nameField(page).waitFor()
  await expect.poll(() => uploadsSwitch(page).getAttribute('aria-checked')).toBe('false')
  await expect.poll(() => keepSwitch(page).getAttribute('aria-checked')).toBe('true')
  expect((await table.readRows(user.sub)).find(({ SK }) => SK === 'SETTINGS')).toMatchObject({
    store_uploads: false,
  })
})

it(
  'LIB-20 DEC-101 a theme applies in another browser, too, which may choose its own',
  { tags: 'trial' },
  async () => {
    const { page, user } = await signedInPage(stack)
    await openSettings(page)
    const stored = page.waitForResponse((response) => response.url().endsWith('/api/account/settings'))
    await page.getByRole('radio', { name: 'Dark' }).click()
    await stored
    const theme = (at: Page) => at.evaluate(() => document.documentElement.dataset['theme'])
    await expect.poll(() => theme(page)).toBe('dark')
    const { page: other } = await signedInPage(stack, {}, user)
    await other.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
    // a page that has no conversations beside it
    await other.goto('/settings')
    await other.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
    await expect.poll(() => other.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true)
    await other.getByRole('radio', { name: 'Light' }).click()
    await other.reload()
    await nameField(other).waitFor()
    await expect.poll(() => theme(other)).toBe('light')
    await page.reload()
    await nameField(page).waitFor()
    await expect.poll(() => theme(page)).toBe('dark')
  },
)

it(
  'SET-20 SET-26 sends an e-mail to change the password, and says when it failed',
  { tags: 'trial' },
  async () => {
    const { page, user } = await sharedPage()
    await openSettings(page)
    const change = page.getByRole('button', { name: 'Change Password' })
    await change.click()
    await page.getByText('Password reset email sent').waitFor()
    await page.getByText('Check your email for password reset instructions.').waitFor()
    expect((await stack.mail(user.email))[0]?.text).toContain('type=recovery')
    const { cognito } = await stack.endpoints()
    expectFailures(page, { url: new RegExp(`^${cognito}`), status: 'network' })
    await page.route(`${cognito}**`, (route) => route.abort())
    await change.click()
    await page.getByText('Error', { exact: true }).waitFor()
  },
)

it(
  'from right to left the knob of a switch stays inside, and each text begins on the right',
  { tags: 'long' },
  async () => {
    const { page } = await signedInPage(stack)
    await openSettings(page)
    await page.getByRole('switch', { name: 'Remember facts about me' }).click()
    await page.getByLabel('Add a memory').fill('I live in Oslo')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Delete: I live in Oslo' }).waitFor()
    await page.evaluate(() => (document.documentElement.dir = 'rtl'))
    const inside = await page.getByRole('switch').evaluateAll((switches) =>
      switches.map((element) => {
        const [track, knob] = [element, element.firstElementChild].map((part) =>
          part?.getBoundingClientRect(),
        )
        const isOn = element.getAttribute('aria-checked') === 'true'
        if (!track || !knob) return 'no knob'
        if (knob.left < track.left || knob.right > track.right) return 'outside'
        return knob.left - track.left < track.right - knob.right === isOn ? 'inside' : 'on the wrong side'
      }),
    )
    expect(new Set(inside)).toEqual(new Set(['inside']))
    const gaps = await page.locator('section h2, section h3, section li p').evaluateAll((headings) =>
      headings.map((heading) => {
        const text = document.createRange()
        text.selectNodeContents(heading)
        const section = heading.closest('section')?.getBoundingClientRect()
        return (section?.right ?? 0) - text.getBoundingClientRect().right
      }),
    )
    expect(gaps.length).toBeGreaterThan(5)
    expect(Math.max(...gaps)).toBeLessThan(40)
  },
)
