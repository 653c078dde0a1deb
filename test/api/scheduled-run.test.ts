import { expect, it } from 'vitest'
import { connectProvider } from '../support/connect-provider.ts'
import { demoStack } from '../support/shared-stack.ts'

const stack = await demoStack()

it('a schedule runs without its person, waits before it sends, and sends once after the approval', async () => {
  const ann = await stack.newUser({ name: 'Ann' })
  await connectProvider(stack, ann, 'gmail')
  const to = `${crypto.randomUUID()}@example.org`
  const { schedule } = await ann.call('schedules.create', {
    body: {
      prompt: `Send an email to ${to} with the subject "Lunch" saying "Shall we meet at noon?"`,
      rule: { kind: 'weekly', days: ['mo'], time: '08:00' },
      time_zone: 'Europe/Berlin',
      notify: ['mail'],
    },
  })
  const params = { sessionId: schedule.session_id }
  await ann.call('schedules.run', { params: { scheduleId: schedule.id } })
  const readRun = async () => {
    const { status, body } = await ann.send('sessions.read', { params })
    return status === 200 ? (body as { run?: { status: string } | null }).run : undefined
  }
  await expect.poll(async () => (await readRun())?.status).toBe('waiting')
  const { run, messages } = await ann.call('sessions.read', { params })
  expect(messages[0]).toMatchObject({ role: 'user', content: schedule.prompt })
  const [question] = run?.questions ?? []
  expect(question).toMatchObject({ integration: 'Gmail', lapses_at: expect.any(String) as string })
  const readLast = async () => {
    const read = await ann.call('schedules.read', { params: { scheduleId: schedule.id } })
    return read.schedule.last_run?.status
  }
  await expect.poll(readLast).toBe('waiting')
  const countMails = async () => {
    const body = {
      messages: [{ role: 'user' as const, content: `Show my recent emails to ${to}` }],
      sessionId: crypto.randomUUID(),
      messageId: crypto.randomUUID(),
    }
    const { toolCalls } = await ann.call('chat.send', { body })
    return JSON.stringify(toolCalls).split(`"to":"${to}"`).length - 1
  }
  expect(await countMails()).toBe(0)
  // although mails about replies are off
  const listMails = async () =>
    (await stack.mail(ann.email)).filter(({ text }) => text.includes(schedule.session_id))
  await expect.poll(async () => (await listMails()).length).toBe(1)
  const approval = {
    params,
    body: { runId: run?.run_id ?? '', callId: question?.call_id ?? '', approved: true },
  }
  expect((await ann.send('runs.answer', approval)).status).toBe(200)
  expect((await ann.send('runs.answer', approval)).status).toBe(404)
  expect(await countMails()).toBe(1)
  expect(await readLast()).toBe('done')
})
