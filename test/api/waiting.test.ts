import { expect, it } from 'vitest'
import { connectProvider } from '../support/connect-provider.ts'
import { demoStack } from '../support/shared-stack.ts'
import type { StackUser } from '../support/stack-user.ts'

const stack = await demoStack()

const mailTo = (to: string) =>
  `Send an email to ${to} with the subject "Lunch" saying "Shall we meet at noon?"`

async function newMailer(name: string) {
  const user = await stack.newUser({ name })
  await connectProvider(stack, user, 'gmail')
  return user
}

/** A chat whose reply waits for an approval. @returns its id */
async function startWaiting(user: StackUser, to: string, more: object = {}): Promise<string> {
  const sessionId = crypto.randomUUID()
  const messages = [{ role: 'user' as const, content: mailTo(to) }]
  await user.call('chat.send', { body: { messages, sessionId, messageId: crypto.randomUUID(), ...more } })
  return sessionId
}

const list = async (user: StackUser) => user.call('waiting.list', {})

const countMails = async (user: StackUser, to: string) => {
  const messages = [{ role: 'user' as const, content: `Show my recent emails to ${to}` }]
  const { toolCalls } = await user.call('chat.send', { body: { messages } })
  return JSON.stringify(toolCalls).split(`"to":"${to}"`).length - 1
}

it('what waits in all conversations is listed and decided with what the list says, once', async () => {
  const ann = await newMailer('Ann')
  expect(await list(ann)).toEqual({ waiting: [], total: 0, is_scheduled: false })
  const first = await startWaiting(ann, 'one@example.org')
  const second = await startWaiting(ann, 'two@example.org')
  const { waiting, total } = await list(ann)
  expect(total).toBe(2)
  expect(waiting).toMatchObject([
    { session_id: second, request: { kind: 'approval', integration: 'Gmail' } },
    { session_id: first, request: { arguments: { to: 'one@example.org', subject: 'Lunch' } } },
  ])
  // as the card of the conversation has it
  const { run, session } = await ann.call('sessions.read', { params: { sessionId: first } })
  expect(waiting[1]).toEqual({
    session_id: first,
    title: session.title,
    run_id: run?.run_id,
    request: run?.questions?.[0],
  })
  const decide = (index: number, approved: boolean) => {
    const { session_id: sessionId, run_id: runId = '', request } = waiting[index] ?? {}
    return ann.send('runs.answer', {
      params: { sessionId: sessionId ?? '' },
      body: { runId, callId: request?.call_id ?? '', approved },
    })
  }
  expect((await decide(1, true)).status).toBe(200)
  expect(await list(ann)).toMatchObject({ total: 1, waiting: [{ session_id: second }] })
  expect((await decide(0, false)).status).toBe(200)
  expect((await list(ann)).total).toBe(0)
  // the same list in another tab
  expect((await decide(1, false)).status).toBe(404)
  expect((await decide(0, true)).status).toBe(404)
  expect(await countMails(ann, 'one@example.org')).toBe(1)
  expect(await countMails(ann, 'two@example.org')).toBe(0)
})

it('a stopped reply, a deleted conversation and a temporary chat wait for nobody, and others see nothing', async () => {
  const [ann, bob] = await Promise.all([newMailer('Ann'), stack.newUser({ name: 'Bob' })])
  const stopped = await startWaiting(ann, 'stop@example.org')
  const deleted = await startWaiting(ann, 'delete@example.org')
  await startWaiting(ann, 'temporary@example.org', { keep: false })
  const { waiting } = await list(ann)
  expect(waiting.map(({ session_id: id }) => id)).toEqual([deleted, stopped])
  expect((await list(bob)).total).toBe(0)
  const [one] = waiting
  const answer = { runId: one?.run_id ?? '', callId: one?.request.call_id ?? '', approved: true }
  expect((await bob.send('runs.answer', { params: { sessionId: deleted }, body: answer })).status).toBe(404)
  await ann.call('runs.stop', { params: { sessionId: stopped }, body: {} })
  await ann.call('sessions.delete', { params: { sessionId: deleted } })
  expect((await list(ann)).total).toBe(0)
})

it('the run of a schedule waits with its schedule and the time at which it lapses', async () => {
  const ann = await newMailer('Ann')
  const { schedule } = await ann.call('schedules.create', {
    body: {
      prompt: mailTo('monday@example.org'),
      rule: { kind: 'weekly', days: ['mo'], time: '08:00' },
      time_zone: 'Europe/Berlin',
    },
  })
  expect(await list(ann)).toEqual({ waiting: [], total: 0, is_scheduled: true })
  await ann.call('schedules.run', { params: { scheduleId: schedule.id } })
  await expect.poll(async () => (await list(ann)).total).toBe(1)
  expect((await list(ann)).waiting).toMatchObject([
    {
      session_id: schedule.session_id,
      schedule_id: schedule.id,
      request: { lapses_at: expect.any(String) as string },
    },
  ])
  await ann.call('schedules.update', { params: { scheduleId: schedule.id }, body: { paused: true } })
  expect(await list(ann)).toMatchObject({ total: 1, is_scheduled: false })
})
