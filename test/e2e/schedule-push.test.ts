/** @module-tag long */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { ReceivedPush } from '../../infra/local/push-service.ts'
import { findViolations } from '../support/axe.ts'
import { forEachSizeAndTheme, newPage, screenshot } from '../support/browser.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { findCutOffElements } from '../support/layout-faults.ts'
import { signedInPage, waitForFocus } from '../support/page-steps.ts'
import { demoStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'

const stack = await demoStack()
const phone = { viewport: { width: 390, height: 844 } }
/** A mail of the demo mailbox asks something: its answer goes to her. */
const [to, subject] = ['ann@example.org', 'Re: Budget for March']
const request = 'Every Monday at 8 read my unread mail, draft the answers, and ask me before you send'

const listPushes = async (email: string) => {
  const response = await fetch(`${stack.origin}/local/push.json?${new URLSearchParams({ to: email })}`)
  return (await response.json()) as ReceivedPush[]
}

async function countMails(user: StackUser): Promise<number> {
  const messages = [{ role: 'user' as const, content: `Show my recent emails to ${to}` }]
  const { toolCalls } = await user.call('chat.send', { body: { messages } })
  return JSON.stringify(toolCalls).split(`"to":"${to}"`).length - 1
}

/** Asked for in a chat and approved there: a schedule whose run reads the mailbox, and waits before it sends an answer. */
async function createMondaySchedule(user: StackUser) {
  await connectProvider(stack, user, 'gmail')
  const sessionId = crypto.randomUUID()
  const messages = [{ role: 'user' as const, content: request }]
  await user.call('chat.send', {
    body: { messages, sessionId, messageId: crypto.randomUUID(), time_zone: 'Europe/Vienna' },
  })
  const { run } = await user.call('sessions.read', { params: { sessionId } })
  const body = { runId: run?.run_id ?? '', callId: run?.questions?.[0]?.call_id ?? '', approved: true }
  await user.call('runs.answer', { params: { sessionId }, body })
  const [schedule] = (await user.call('schedules.list')).schedules
  expect(schedule).toMatchObject({
    prompt: 'Read my unread mail, draft the answers, and ask me before you send',
    rule: { kind: 'weekly', days: ['mo'], time: '08:00' },
    time_zone: 'Europe/Vienna',
    writes: 'ask',
    notify: ['push'],
  })
  return schedule as NonNullable<typeof schedule>
}

async function receivePushes(page: Page, email: string) {
  await page.goto('/local/mail')
  await page.getByRole('textbox', { name: 'Account’s e-mail address' }).fill(email)
  await page.getByRole('button', { name: 'Receive pushes here' }).click()
  await page.waitForURL(/#push$/)
}

it('a schedule of Mondays reads the mailbox and waits, its push arrives on the laptop, and its answer is approved on a phone and sent once', async () => {
  const user = await stack.newUser({ name: 'Ann' })
  const schedule = await createMondaySchedule(user)
  const laptop = await newPage({ baseURL: stack.origin })
  await receivePushes(laptop, 'nobody@example.org')
  await laptop.getByRole('alert').getByText('No account has this address.').waitFor()
  await receivePushes(laptop, user.email)
  await user.call('schedules.run', { params: { scheduleId: schedule.id } })
  await expect.poll(() => listPushes(user.email)).toHaveLength(1)
  await laptop.reload()
  const push = laptop
    .getByRole('article')
    .filter({ hasText: user.email })
    .filter({ hasText: 'Waiting for you' })
  await push.waitFor()
  // nothing of what the mails say
  expect(JSON.stringify(await listPushes(user.email))).not.toMatch(/budget|ann@|friday/i)
  await forEachSizeAndTheme(laptop, async (look, rules) => {
    expect(await findViolations(laptop, ...rules)).toEqual([])
    expect(await findCutOffElements(laptop)).toEqual([])
    await screenshot(laptop, `local pushes (${look})`)
  })
  const path = (await push.getByRole('link').getAttribute('href')) ?? ''

  expect(await countMails(user)).toBe(0)
  const { page } = await signedInPage(stack, phone, user)
  // its link opens the conversation at the card
  await page.goto(path)
  const card = page.getByRole('group', { name: 'Send an e-mail with Gmail?' })
  await waitForFocus(card)
  for (const text of [to, subject, 'Can you look at them before Friday?'])
    await card.getByText(text).first().waitFor()
  await screenshot(page, 'an answer to a mail that was read, on a phone')
  await page.goto('/waiting')
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: `E-mail to ${to}` }) })
  await row.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Nothing waits.').waitFor()
  await expect.poll(() => countMails(user)).toBe(1)
  const listSchedules = async () => (await user.call('schedules.list')).schedules
  await expect.poll(listSchedules).toMatchObject([{ last_run: { status: 'done' } }])
  expect(await countMails(user)).toBe(1)
})
