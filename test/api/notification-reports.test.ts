/** @module-tag long */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { NotificationSettings } from '#shared/contracts/account.ts'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import { startPushService } from '../support/push-service.ts'
import type { StackUser } from '../support/stack-user.ts'

/* What users of other products have reported about notifications, and about budgets that begin anew. */

let service: Awaited<ReturnType<typeof startPushService>>
let stack: LocalStack
beforeAll(async () => {
  service = await startPushService()
  stack = await startStack({ env: { OUTBOUND_ALLOW: service.host } })
})
afterAll(async () => {
  await Promise.all([service.close(), stack.stop()])
})

const say = (user: StackUser, content = '/echo Hi', sessionId: string = crypto.randomUUID()) =>
  user.call('chat.send', { body: { sessionId, messages: [{ role: 'user', content }] } })

async function subscribe(user: StackUser, ...answers: { status: number }[]) {
  const browser = service.newBrowser(...answers)
  await user.call('push.key', {})
  await user.call('push.subscribe', { body: browser.subscription })
  return browser
}
const set = (user: StackUser, notifications: NotificationSettings) =>
  user.call('account.settings', { body: { notifications } })
const mails = async ({ email }: StackUser) =>
  (await stack.mail(email)).filter(({ text }) => text.includes('Notifications'))

/** The time of day in UTC, so many hours from now. */
const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)

it.each([404, 410])(
  'a browser that is gone (%i) is forgotten, and the others are told (towns-protocol/towns#1629)',
  async (status) => {
    const user = await stack.newUser()
    const gone = await subscribe(user, { status }, { status })
    const other = await subscribe(user)
    await say(user)
    await expect.poll(() => other.count()).toBe(1)
    await say(user)
    await expect.poll(() => other.count()).toBe(2)
    expect(gone.count()).toBe(1)
  },
)

it('who wants no mails about schedules gets none, whatever the schedule says (mattermost/mattermost#12704)', async () => {
  const user = await stack.newUser()
  await set(user, { mail: false, scheduled: false })
  const { schedule } = await user.call('schedules.create', {
    body: {
      prompt: '/echo Hi',
      rule: { kind: 'daily', time: '08:00' },
      time_zone: 'UTC',
      notify: ['mail', 'push'],
    },
  })
  const browser = await subscribe(user)
  const params = { scheduleId: schedule.id }
  await user.call('schedules.run', { params })
  await expect
    .poll(async () => (await user.call('schedules.read', { params })).schedule.last_run?.status)
    .toBe('done')
  // a chat is told of, so what came before would have been, too
  await say(user)
  await expect.poll(() => browser.count()).toBe(1)
  expect(await mails(user)).toEqual([])
})

it.each([
  ['that are now', -1, 1, 0],
  ['that are over midnight and not now', 2, -2, 1],
  ['that are earlier today', -3, -2, 1],
])('quiet hours %s (greghesp/assistant-relay#60, tasks/tasks#282)', async (_, from, to, count) => {
  const user = await stack.newUser()
  await set(user, { quiet_hours: { from: clock(from), to: clock(to), time_zone: 'UTC' } })
  const browser = await subscribe(user)
  await say(user)
  const witness = await stack.newUser()
  const other = await subscribe(witness)
  await say(witness)
  await expect.poll(() => other.count()).toBe(1)
  expect(browser.count()).toBe(count)
})

it('a mail says where it is switched off, its link works, and that ends them (getsentry/sentry#54306)', async () => {
  const user = await stack.newUser()
  await set(user, { mail: true })
  await say(user)
  await expect.poll(async () => (await mails(user)).length).toBe(1)
  const [mail] = await mails(user)
  const links = mail?.text.match(/https?:\/\/\S+/g) ?? []
  const { sessions } = await user.call('sessions.list')
  expect(links).toEqual(sessions.map(({ id }) => `${stack.origin}/?c=${id}`))
  await set(user, { mail: false })
  const browser = await subscribe(user)
  await say(user)
  await expect.poll(() => browser.count()).toBe(1)
  expect(await mails(user)).toHaveLength(1)
})

it('a browser whose user has signed out everywhere is not told (chatwoot/chatwoot#7241)', async () => {
  const user = await stack.newUser()
  const browser = await subscribe(user)
  const { schedule } = await user.call('schedules.create', {
    body: { prompt: '/echo Hi', rule: { kind: 'daily', time: '08:00' }, time_zone: 'UTC', notify: ['push'] },
  })
  await user.call('schedules.run', { params: { scheduleId: schedule.id } })
  await expect.poll(() => browser.count()).toBe(1)
  await say(user)
  await expect.poll(() => browser.count()).toBe(2)
  const running = say(user, '/slow Hello').catch(() => undefined)
  await user.call('account.signOutEverywhere')
  await running
  const witness = await stack.newUser()
  const other = await subscribe(witness)
  await say(witness)
  await expect.poll(() => other.count()).toBe(1)
  expect(browser.count()).toBe(2)
})

it('titles stand in mails as they were written (Schlaefer/Saito#162)', async () => {
  const user = await stack.newUser()
  await set(user, { mail: true })
  const sessionId = crypto.randomUUID()
  await say(user, '/echo Hi', sessionId)
  const title = `Verkündigung & "Rome" <b>'s</b> 日本 $& {brand}`
  await user.call('sessions.update', { params: { sessionId }, body: { title } })
  await say(user, '/echo Hi', sessionId)
  await expect.poll(async () => (await mails(user)).length).toBe(2)
  const [mail] = await mails(user)
  expect(mail?.subject).toBe(`Reply ready: ${title}`)
  expect(mail?.text).toContain(title)
  expect(mail?.html).not.toContain('<b>')
  expect(mail?.html).toContain('Verkündigung &amp; ')
})
