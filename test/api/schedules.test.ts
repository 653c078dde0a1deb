import { expect, it } from 'vitest'
import { openTeam } from '../support/team.ts'
import { publishingFor } from '../support/publish-project.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const { stack, model } = await scriptedStack('Two mails are new.')
const schedule = {
  prompt: 'Read my mail',
  rule: { kind: 'daily', time: '08:00' },
  time_zone: 'Europe/Berlin',
} as const

it('a schedule is stored, run by hand, changed and deleted; its runs are turns of one conversation', async () => {
  const user = await stack.newUser()
  const created = (await user.call('schedules.create', { body: schedule })).schedule
  const params = { scheduleId: created.id }
  expect((await user.call('schedules.list')).schedules).toEqual([created])
  for (const turn of [1, 2]) {
    expect((await user.call('schedules.run', { params })).schedule).toHaveProperty('running_since')
    await expect
      .poll(async () => (await user.call('schedules.read', { params })).schedule)
      .toMatchObject({ last_run: { status: 'done' }, session_id: created.session_id })
    await expect
      .poll(async () => (await user.call('schedules.read', { params })).schedule.running_since)
      .toBeUndefined()
    const { messages } = await user.call('sessions.read', { params: { sessionId: created.session_id } })
    expect(messages.map(({ content }) => content)).toEqual(
      Array.from({ length: turn }).flatMap(() => ['Read my mail', 'Two mails are new.']),
    )
  }
  expect(model.requests.length).toBeGreaterThanOrEqual(2)
  await user.call('schedules.update', { params, body: { paused: true } })
  expect((await user.call('schedules.read', { params })).schedule.next_at).toBeUndefined()
  // another tab has seen it before it was paused
  const stale = { params, query: { version: String(created.version) } }
  expect(await user.send('schedules.delete', stale)).toMatchObject({
    status: 409,
    body: { code: 'changed_elsewhere' },
  })
  expect(await user.send('schedules.delete', { params, query: { version: 'last' } })).toMatchObject({
    status: 400,
  })
  const { version } = (await user.call('schedules.read', { params })).schedule
  await user.call('schedules.delete', { params, query: { version } })
  await user.call('schedules.delete', { params, query: { version } })
  await user.call('schedules.delete', { params })
  expect(await user.send('schedules.read', { params })).toMatchObject({ status: 404 })
})

it('signing out everywhere pauses what was approved before, from that moment on', async () => {
  const team = await openTeam(stack)
  const user = await stack.newUser()
  const { id } = (await user.call('schedules.create', { body: schedule })).schedule
  await user.call('account.signOutEverywhere')
  const again = await team.signIn(user)
  const { schedules } = await again.call('schedules.list')
  expect(schedules).toMatchObject([{ id, paused_because: 'signed_out' }])
  expect(schedules[0]).not.toHaveProperty('next_at')
  expect(await team.readSchedules(user)).toMatchObject({ count: 1, paused: 1 })
  const params = { scheduleId: id }
  const resumed = (await again.call('schedules.update', { params, body: { paused: false } })).schedule
  expect(resumed).toMatchObject({ next_at: expect.any(String) as string })
  expect(resumed).not.toHaveProperty('paused_because')
})

it(
  'a schedule whose assistant is no longer for its owner’s groups says so at once, to administrators, too',
  { tags: 'long' },
  async () => {
    const team = await openTeam(stack)
    const group = await team.newGroup()
    const [publisher, member] = await Promise.all([team.newMember(group), team.newMember(group)])
    const { id: assistant_id } = await publishingFor(group).publish(publisher)
    const { id } = (await member.call('schedules.create', { body: { ...schedule, assistant_id } })).schedule
    const params = { scheduleId: id }
    const readPerson = () => team.readSchedules(member)
    expect(await readPerson()).toMatchObject({ count: 1, paused: 0 })
    await team.setGroups(member, { remove: [group] })
    expect(await readPerson()).toMatchObject({ count: 1, paused: 1 })
    const left = await team.signIn(member)
    const read = (await left.call('schedules.read', { params })).schedule
    expect(read).toMatchObject({ paused_because: 'assistant_withdrawn' })
    expect(read).not.toHaveProperty('next_at')
    expect((await left.call('schedules.list')).schedules).toEqual([read])
    // nothing was lost for who comes back before the next run
    await team.setGroups(member, { add: [group] })
    const back = await team.signIn(member)
    expect((await back.call('schedules.read', { params })).schedule).toHaveProperty('next_at')
    expect(await readPerson()).toMatchObject({ count: 1, paused: 0 })
    await publisher.call('assistants.withdraw', { params: { assistantId: assistant_id } })
    expect((await back.call('schedules.list')).schedules).toMatchObject([
      { id, paused_because: 'assistant_withdrawn' },
    ])
    expect(await readPerson()).toMatchObject({ count: 1, paused: 1 })
  },
)

it(
  'a schedule of a disabled account, or of a group that forbids them, is paused for administrators at once',
  { tags: 'long' },
  async () => {
    const team = await openTeam(stack)
    const forbidding = await team.newGroup({ schedules: false })
    const [disabled, forbidden] = await Promise.all([team.newMember(), team.newMember()])
    for (const user of [disabled, forbidden]) await user.call('schedules.create', { body: schedule })
    const params = { userId: disabled.sub }
    await team.admin.call('admin.disableUser', { params })
    await team.setGroups(forbidden, { add: [forbidding] })
    const countPaused = () =>
      Promise.all([disabled, forbidden].map(async (user) => (await team.readSchedules(user))?.paused))
    expect(await countPaused()).toEqual([1, 1])
    expect((await (await team.signIn(forbidden)).call('schedules.list')).schedules).toMatchObject([
      { paused_because: 'not_allowed' },
    ])
    await team.admin.call('admin.enableUser', { params })
    await team.setGroups(forbidden, { remove: [forbidding] })
    // whoever was disabled has been signed out everywhere, too
    expect(await countPaused()).toEqual([1, 0])
  },
)

it.each([
  ['an unknown zone', { time_zone: 'Mars/Olympus' }, 400],
  ['an unknown rule', { rule: { kind: 'minutely' } }, 400],
  ['a tool that is not there', { writes: ['send_rockets'] }, 400],
  ['a project of nobody', { project_id: crypto.randomUUID() }, 404],
  ['an assistant of nobody', { assistant_id: crypto.randomUUID() }, 404],
])('%s is refused', { tags: 'long' }, async (_, fields, status) => {
  const user = await stack.newUser()
  expect(await user.send('schedules.create', { body: { ...schedule, ...fields } })).toMatchObject({ status })
})
