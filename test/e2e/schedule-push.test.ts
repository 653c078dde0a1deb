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
const to = 'ben@example.org'
const prompt = `Send an email to ${to} with the subject "Monday" saying "Your answers are drafted."`

const listPushes = async (email: string) => {
  const response = await fetch(`${stack.origin}/local/push.json?${new URLSearchParams({ to: email })}`)
  return (await response.json()) as ReceivedPush[]
}

async function countMails(user: StackUser): Promise<number> {
  const messages = [{ role: 'user' as const, content: `Show my recent emails to ${to}` }]
  const { toolCalls } = await user.call('chat.send', { body: { messages } })
  return JSON.stringify(toolCalls).split(`"to":"${to}"`).length - 1
}

/** A schedule for Mondays at eight, whose run waits before it sends a mail. */
async function createMondaySchedule(user: StackUser) {
  await connectProvider(stack, user, 'gmail')
  const { schedule } = await user.call('schedules.create', {
    body: {
      prompt,
      rule: { kind: 'weekly', days: ['mo'], time: '08:00' },
      time_zone: 'Europe/Vienna',
      notify: ['push'],
    },
  })
  return schedule
}

async function receivePushes(page: Page, email: string) {
  await page.goto('/local/mail')
  await page.getByRole('textbox', { name: 'Account’s e-mail address' }).fill(email)
  await page.getByRole('button', { name: 'Receive pushes here' }).click()
  await page.waitForURL(/#push$/)
}

it('a schedule of Mondays waits, its push arrives on the laptop, and its mail is approved on a phone and sent once', async () => {
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
  // nothing of what the mail says
  expect(JSON.stringify(await listPushes(user.email))).not.toContain('drafted')
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
  await waitForFocus(page.getByRole('group', { name: 'Send an e-mail with Gmail?' }))
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
