import { expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { expectFailures, forEachSizeAndTheme, screenshot } from '../support/browser.ts'
import { findCutOffElements } from '../support/layout-faults.ts'
import { composer, waitForReplyEnd, sendMessage, signedInPage, toastNamed } from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

it('DEC-175 a reply is rated with the keyboard, and the rating is stored', { tags: 'long' }, async () => {
  const { page, user } = await signedInPage(stack)
  await sendMessage(page, '/echo Rate me.')
  await waitForReplyEnd(page)
  const good = page.getByRole('button', { name: 'Good reply' })
  const bad = page.getByRole('button', { name: 'Bad reply' })
  const pressed = (name: string) => page.getByRole('button', { name, pressed: true })

  const stored = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await good.focus()
  await page.keyboard.press('Enter')
  await pressed('Good reply').waitFor()
  expect((await stored).status()).toBe(200)
  // the tooltip of a button belongs to no landmark
  await composer(page).focus()
  await forEachSizeAndTheme(page, async (look, rules) => {
    await screenshot(page, `rating-${look}`)
    expect(await findViolations(page, ...rules)).toEqual([])
    expect(await findCutOffElements(page)).toEqual([])
  })
  const sessionId = new URL(page.url()).searchParams.get('c') ?? ''
  const { messages } = await user.call('sessions.read', { params: { sessionId } })
  expect(messages.map(({ rating }) => rating)).toEqual([undefined, 'up'])

  await page.reload()
  await pressed('Good reply').waitFor()
  // a rating that cannot be stored is undone
  expectFailures(page, { url: /\/messages\//, status: 'network' })
  await page.route('**/messages/*', (route) => route.abort(), { times: 1 })
  await bad.focus()
  await page.keyboard.press('Space')
  await toastNamed(page, 'Your rating could not be saved').waitFor()
  await pressed('Good reply').waitFor()

  const takenBack = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await good.focus()
  await page.keyboard.press('Space')
  expect((await takenBack).status()).toBe(200)
  await pressed('Good reply').waitFor({ state: 'detached' })
  await page.reload()
  await good.waitFor()
  expect(await pressed('Good reply').count()).toBe(0)
})

it('DEC-175 replies of a temporary chat cannot be rated', { tags: 'long' }, async () => {
  const { page, user } = await signedInPage(stack)
  await user.call('account.settings', { body: { keep_conversations: false } })
  await page.reload()
  await page.getByText('This chat is temporary.').waitFor()
  await sendMessage(page, '/echo Not kept.')
  await waitForReplyEnd(page)
  await page.getByRole('button', { name: 'Copy reply' }).waitFor()
  expect(await page.getByRole('button', { name: 'Good reply' }).count()).toBe(0)
})
