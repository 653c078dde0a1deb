import { expect, it } from 'vitest'
import type { ScheduleAddition } from '#shared/contracts/schedules.ts'
import { maxSchedules } from '#shared/limits.ts'
import { minuteMs, scheduleWorld } from '../../test/support/schedule-world.ts'
import { AppError } from '../platform/errors.ts'
import { ProjectNotFound } from '../projects/errors.ts'
import { manageSchedules, type ManageDeps, type Owner } from './manage-schedules.ts'

const ann: Owner = { sub: 'ann', groups: [], limits: {} }
const start = '2026-12-01T07:30Z'
const body: ScheduleAddition = {
  prompt: 'Read my mail',
  rule: { kind: 'daily', time: '08:00' },
  time_zone: 'UTC',
}
const mailTool = { name: 'gmail_send_email', fingerprint: 'as it was' }

function open(more: Partial<ManageDeps> = {}) {
  const world = scheduleWorld(start)
  const manage = manageSchedules({
    schedules: world.schedules,
    index: world.index,
    projects: {
      async require(_, id) {
        throw new ProjectNotFound(`no project ${id}`)
      },
    },
    assistants: { find: async () => undefined },
    listTools: async () => [mailTool],
    models: [{ id: 'large', efforts: ['low'] }, { id: 'small' }],
    findRun: async () => undefined,
    send: async (message) => void world.queue.push(message),
    isStopped: async () => world.world.stop.isStopped,
    loadMark: async () => undefined,
    now: () => world.world.now,
    ...more,
  })
  return { ...world, manage }
}

const refusal = async (work: Promise<unknown>) => {
  const error = await work.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AppError)
  const { status, code } = error as AppError
  return [status, code]
}

it('a new schedule says when it runs, and is due then', async () => {
  const { manage, run, begun } = open()
  const created = await manage.create(ann, {
    ...body,
    writes: ['gmail_send_email'],
    notify: ['push', 'push'],
  })
  expect(created).toMatchObject({
    prompt: 'Read my mail',
    writes: ['gmail_send_email'],
    notify: ['push'],
    version: 1,
    next_at: '2026-12-01T08:00:00.000Z',
    next_times: ['2026-12-01T08:00:00.000Z', '2026-12-02T08:00:00.000Z', '2026-12-03T08:00:00.000Z'],
  })
  expect(await manage.read(ann, created.id)).toEqual(created)
  expect(await manage.list(ann)).toEqual([created])
  await run(31)
  expect(begun.size).toBe(1)
  expect(await manage.read(ann, created.id)).toMatchObject({
    session_id: created.session_id,
    last_run: { at: '2026-12-01T08:00:00.000Z', status: 'done' },
  })
})

it.each<[string, Partial<ScheduleAddition>, [number, string]]>([
  ['a zone that does not exist', { time_zone: 'Europe/Atlantis' }, [400, 'bad_request']],
  ['a model that is not offered', { model: 'huge' }, [400, 'bad_request']],
  ['an effort that its model does not have', { model: 'small', effort: 'low' }, [400, 'bad_request']],
  ['an effort that no model has', { effort: 'most' }, [400, 'bad_request']],
  ['a time that is over', { rule: { kind: 'once', at: '2026-11-30T08:00Z' } }, [400, 'bad_request']],
  ['a tool that the user does not have', { writes: ['gmail_send_email', 'wipe'] }, [400, 'bad_request']],
  ['a project of somebody else', { project_id: 'theirs' }, [404, 'project_not_found']],
  ['an assistant of somebody else', { assistant_id: 'theirs' }, [404, 'assistant_not_found']],
])('refuses %s, at first and in a change', async (_, fields, expected) => {
  const { manage, queue, table } = open()
  expect(await refusal(manage.create(ann, { ...body, ...fields }))).toEqual(expected)
  expect(table.partitions.get('U#ann')?.size ?? 0).toBe(0)
  const { id } = await manage.create(ann, body)
  const before = await manage.read(ann, id)
  expect(await refusal(manage.change(ann, id, fields))).toEqual(expected)
  expect(await manage.read(ann, id)).toEqual(before)
  expect(queue).toEqual([])
})

it('a schedule that is not there, or another’s, is not found', async () => {
  const { manage } = open()
  const { id } = await manage.create(ann, body)
  const bob = { ...ann, sub: 'bob' }
  for (const work of [
    () => manage.read(bob, id),
    () => manage.change(bob, id, { paused: true }),
    () => manage.run(bob, id),
  ])
    expect(await refusal(work())).toEqual([404, 'schedule_not_found'])
  await manage.remove('bob', id)
  expect(await manage.read(ann, id)).toMatchObject({ id })
})

it('a user has 25 at most, and fewer if the groups say so; the same addition again is none', async () => {
  const { manage } = open()
  const ids = Array.from({ length: maxSchedules }, (_, n) => `s${n}`)
  for (const id of ids) await manage.create(ann, { ...body, id })
  expect(await manage.create(ann, { ...body, id: 's0' })).toMatchObject({ id: 's0' })
  expect(await refusal(manage.create(ann, body))).toEqual([409, 'too_many_schedules'])
  const bob = { ...ann, sub: 'bob', limits: { max_schedules: 1 } }
  await manage.create(bob, body)
  expect(await refusal(manage.create(bob, body))).toEqual([409, 'too_many_schedules'])
})

it('signing out everywhere pauses what was approved before, from that moment on', async () => {
  let mark: { signedOutAt: number; ttl: number } | undefined
  const { manage, world, run, begun, queue } = open({ loadMark: async () => mark })
  const { id } = await manage.create(ann, body)
  const signedOutAt = world.now / 1_000
  mark = { signedOutAt, ttl: signedOutAt + 1 }
  const paused = { paused_because: 'signed_out' }
  for (const shown of [await manage.read(ann, id), ...(await manage.list(ann))]) {
    expect(shown).toMatchObject(paused)
    expect(shown).not.toHaveProperty('next_at')
  }
  await run(1)
  // neither a change nor a run by hand lets it go on
  expect(await manage.change(ann, id, { prompt: 'Other' })).toMatchObject(paused)
  await manage.run(ann, id)
  expect(queue).toHaveLength(1)
  expect(await manage.read(ann, id)).toMatchObject(paused)
  await run(1)
  const resumed = await manage.change(ann, id, { paused: false })
  expect(resumed).toMatchObject({ prompt: 'Other', next_at: '2026-12-01T08:00:00.000Z' })
  expect(resumed).not.toHaveProperty('paused_because')
  await run(31)
  expect(begun.size).toBe(2)
  // one that is new is approved by that
  expect(await manage.create(ann, body)).not.toHaveProperty('paused_because')
})

it.each<[string, Owner, Partial<ManageDeps>, string]>([
  [
    'an assistant that is not for its owner any more',
    ann,
    { assistants: { find: async () => undefined } },
    'assistant_withdrawn',
  ],
  ['a group that forbids schedules', { ...ann, limits: { schedules: false } }, {}, 'not_allowed'],
])('%s pauses a schedule from that moment on', async (_, owner, later, paused_because) => {
  const deps: Partial<ManageDeps> = { assistants: { find: async (__, id) => ({ id }) as never } }
  const { manage, schedules, run, queue } = open({
    assistants: { find: (...given) => deps.assistants?.find(...given) ?? Promise.resolve(undefined) },
  })
  const { id } = await manage.create(ann, { ...body, assistant_id: 'a1' })
  expect(await manage.read(ann, id)).not.toHaveProperty('paused_because')
  Object.assign(deps, later)
  for (const shown of [await manage.read(owner, id), ...(await manage.list(owner))]) {
    expect(shown).toMatchObject({ paused_because })
    expect(shown).not.toHaveProperty('next_at')
  }
  // nothing is stored: it goes on if its owner gets back what they lost
  expect(await schedules.find('ann', id)).not.toHaveProperty('paused_because')
  await run(1)
  expect(queue).toEqual([])
})

it('a schedule whose assistant is not for its owner any more stays paused when it is changed, until it goes on without', async () => {
  let assistant: object | undefined = { id: 'a1' }
  const { manage } = open({ assistants: { find: async () => assistant as never } })
  const { id } = await manage.create(ann, { ...body, assistant_id: 'a1' })
  assistant = undefined
  const paused = { paused_because: 'assistant_withdrawn' }
  expect(await manage.change(ann, id, { prompt: 'Other' })).toMatchObject(paused)
  expect(await refusal(manage.change(ann, id, { paused: false }))).toEqual([404, 'assistant_not_found'])
  const resumed = await manage.change(ann, id, { assistant_id: null, paused: false })
  expect(resumed).toMatchObject({ prompt: 'Other', next_at: '2026-12-01T08:00:00.000Z' })
  expect(resumed).not.toHaveProperty('paused_because')
})

it('a run by hand after signing out everywhere does not let the schedule go on by itself', async () => {
  let mark: { signedOutAt: number; ttl: number } | undefined
  const { manage, world, run, begun } = open({ loadMark: async () => mark })
  const { id } = await manage.create(ann, body)
  mark = { signedOutAt: world.now / 1_000, ttl: world.now }
  await run(1)
  await manage.run(ann, id)
  await run(1)
  expect(begun.size).toBe(1)
  expect(await manage.read(ann, id)).toMatchObject({
    paused_because: 'signed_out',
    last_run: { status: 'done' },
  })
})

it('a group may forbid schedules: pausing and deleting stays', async () => {
  const { manage } = open()
  const { id } = await manage.create(ann, body)
  const limited = { ...ann, limits: { schedules: false } }
  for (const work of [
    () => manage.create(limited, body),
    () => manage.change(limited, id, { prompt: 'Other' }),
    () => manage.run(limited, id),
  ])
    expect(await refusal(work())).toEqual([403, 'not_allowed'])
  expect(await manage.change(limited, id, { paused: true })).toMatchObject({ paused_because: 'user' })
  await manage.remove('ann', id)
  expect(await manage.list(ann)).toEqual([])
})

it('a paused schedule does not run until its person goes on', async () => {
  const { manage, run, begun, world, schedules } = open()
  const { id } = await manage.create(ann, { ...body, paused: true })
  expect((await manage.read(ann, id)).next_at).toBeUndefined()
  await run(40)
  expect(begun.size).toBe(0)
  await schedules.change('ann', id, () => ({ failures: 3, approved_at: 0 }))
  expect(await manage.change(ann, id, { paused: false })).toMatchObject({
    next_at: '2026-12-02T08:00:00.000Z',
  })
  expect(await schedules.find('ann', id)).toMatchObject({ failures: 0, approved_at: world.now })
  world.now = Date.parse('2026-12-02T07:59Z')
  await run(2)
  expect(begun.size).toBe(1)
})

it('a change moves the next time, and what it does not name stays', async () => {
  const { manage, run, begun } = open()
  const { id } = await manage.create(ann, { ...body, model: 'large', writes: ['gmail_send_email'] })
  const changed = await manage.change(ann, id, {
    rule: { kind: 'daily', time: '07:45' },
    model: null,
    version: 1,
  })
  expect(changed).toMatchObject({
    version: 2,
    writes: ['gmail_send_email'],
    next_at: '2026-12-01T07:45:00.000Z',
  })
  expect(changed.model).toBeUndefined()
  expect(await refusal(manage.change(ann, id, { prompt: 'Late', version: 1 }))).toEqual([
    409,
    'changed_elsewhere',
  ])
  await run(45)
  expect([...begun.keys()]).toEqual([`${id}-${Date.parse('2026-12-01T07:45Z')}`])
})

it('another project or assistant means another conversation; the run before is still found in its own', async () => {
  const asked: string[] = []
  const { manage, schedules, world } = open({
    projects: { require: async () => ({}) as never },
    assistants: { find: async (_, id) => ({ id }) as never },
    findRun: async (_, sessionId) => {
      asked.push(sessionId)
      return { messageId: 'm1', status: 'waiting' }
    },
  })
  const { id, session_id: first } = await manage.create(ann, { ...body, project_id: 'p1' })
  await schedules.change('ann', id, () => ({
    begun: { at: world.now, since: world.now, session_id: first },
    last_run: { at: world.now, status: 'waiting', message_id: 'm1' },
  }))
  const same = await manage.change(ann, id, { project_id: 'p1', assistant_id: null, prompt: 'Read it' })
  expect(same).toMatchObject({ session_id: first, has_conversation: true })
  const moved = await manage.change(ann, id, { project_id: null, assistant_id: 'a1' })
  expect(moved.session_id).not.toBe(first)
  expect(moved).toMatchObject({ has_conversation: false, last_run: { status: 'waiting' } })
  expect(new Set(asked)).toEqual(new Set([first]))
})

it('an approved tool stays as it was approved while its server cannot be reached', async () => {
  let tools = [mailTool]
  const { manage, schedules } = open({ listTools: async () => tools })
  const { id } = await manage.create(ann, { ...body, writes: ['gmail_send_email'] })
  tools = []
  await manage.change(ann, id, { writes: ['gmail_send_email'] })
  expect(await schedules.find('ann', id)).toMatchObject({ writes: [mailTool] })
})

it('a run by hand begins at once, also while it is paused; one at a time; its failure pauses nothing', async () => {
  const { manage, queue, work, world, find } = open()
  const { id } = await manage.create(ann, { ...body, paused: true })
  for (let n = 0; n < 4; n++) {
    world.now += 1
    expect(await manage.run(ann, id)).toMatchObject({ running_since: new Date(world.now).toISOString() })
    expect(await refusal(manage.run(ann, id))).toEqual([409, 'schedule_running'])
    expect(queue).toEqual([{ sub: 'ann', id, at: world.now, message_id: `${id}-${world.now}` }])
    await work('failed')
  }
  expect(await find(id)).toMatchObject({
    failures: 0,
    paused_because: 'user',
    last_run: { status: 'failed' },
  })
})

it('says when a run is tried again whose model was busy, until then', async () => {
  const { manage, world, schedules } = open()
  const { id } = await manage.create(ann, body)
  const at = world.now
  const retry_at = at + 120_000
  await schedules.change('ann', id, () => ({
    handed: { at, since: at, retries: 2, retry_at, because: 'model_busy' },
  }))
  const running_since = new Date(at).toISOString()
  expect(await manage.read(ann, id)).toMatchObject({
    running_since,
    retry_at: new Date(retry_at).toISOString(),
  })
  world.now = retry_at
  const due = await manage.read(ann, id)
  expect([due.running_since, due.retry_at]).toEqual([running_since, undefined])
})

it('a run by hand whose message got lost is sent again', async () => {
  const { manage, run, begun } = open({ send: () => Promise.reject(new Error('the queue does not answer')) })
  const { id } = await manage.create(ann, body)
  await expect(manage.run(ann, id)).rejects.toThrow('the queue does not answer')
  await run(10)
  expect([...begun.keys()]).toEqual([`${id}-${Date.parse(start)}`])
})

it.each([
  ['waiting', 'waiting'],
  ['running', 'waiting'],
  ['done', 'done'],
  ['stopped', 'done'],
  ['failed', 'failed'],
  ['interrupted', 'failed'],
  ['incomplete', 'failed'],
] as const)('a run that waited and is %s by now is shown as %s', async (status, shown) => {
  const { manage, schedules, world } = open({ findRun: async () => ({ messageId: 'm1', status }) })
  const { id } = await manage.create(ann, body)
  const last_run = { at: world.now, status: 'waiting', message_id: 'm1' } as const
  await schedules.change('ann', id, () => ({ last_run }))
  expect((await manage.read(ann, id)).last_run?.status).toBe(shown)
})

it('a run that failed after it had waited says why, as one that did not wait', async () => {
  const errorCode = { code: 'budget', params: { reason: 'day_tokens' } } as const
  const { manage, schedules, world } = open({
    findRun: async () => ({ messageId: 'm1', status: 'failed', errorCode }),
  })
  const { id } = await manage.create(ann, body)
  const last_run = { at: world.now, status: 'waiting', message_id: 'm1' } as const
  await schedules.change('ann', id, () => ({ last_run }))
  expect((await manage.read(ann, id)).last_run).toMatchObject({
    status: 'failed',
    because: 'budget.day_tokens',
  })
})

it.each([
  ['has another run by now', { messageId: 'm2', status: 'waiting' as const }],
  ['has no run any more', undefined],
])('a run that waited and whose conversation %s is over', async (_, found) => {
  const { manage, schedules, world } = open({ findRun: async () => found })
  const { id } = await manage.create(ann, body)
  const last_run = { at: world.now, status: 'waiting', message_id: 'm1' } as const
  await schedules.change('ann', id, () => ({ last_run }))
  expect((await manage.read(ann, id)).last_run).toMatchObject({ status: 'done' })
})

it('a run whose wait has lapsed is shown as failed, and one that failed or was skipped says why', async () => {
  const run = {
    messageId: 'm1',
    status: 'waiting' as const,
    waitState: { lapsesAtMs: Number.MAX_SAFE_INTEGER },
  }
  const { manage, schedules, world } = open({ findRun: async () => run })
  const { id } = await manage.create(ann, body)
  const last_run = { at: world.now, status: 'waiting', message_id: 'm1' } as const
  await schedules.change('ann', id, () => ({ last_run }))
  expect((await manage.read(ann, id)).last_run).toMatchObject({ status: 'waiting' })
  run.waitState.lapsesAtMs = world.now
  expect((await manage.read(ann, id)).last_run).toMatchObject({ status: 'failed', because: 'lapsed' })
  await schedules.change('ann', id, () => ({
    last_run: { at: world.now, status: 'skipped', because: 'missed' },
  }))
  expect((await manage.read(ann, id)).last_run).toMatchObject({ status: 'skipped', because: 'missed' })
})

it('a deleted schedule leaves nothing in the index', async () => {
  const { manage, index, world } = open()
  const { id } = await manage.create(ann, body)
  await manage.run(ann, id)
  await manage.remove('ann', id)
  expect([
    ...(await index.listHour(world.now)),
    ...(await index.listHour(world.now + 60 * minuteMs)),
  ]).toEqual([])
})

it('deletes only the version that its person has seen, also if it is changed in that moment', async () => {
  const { schedules } = open()
  let change: (() => Promise<unknown>) | undefined
  const find: typeof schedules.find = async (sub, id) => {
    const row = await schedules.find(sub, id)
    const toDo = change
    change = undefined
    await toDo?.()
    return row
  }
  const { manage } = open({ schedules: { ...schedules, find } })
  const { id, version } = await manage.create(ann, body)
  change = () => schedules.change('ann', id, () => ({ prompt: 'Read all my mail', version: version + 1 }))
  expect(await refusal(manage.remove('ann', id, version))).toEqual([409, 'changed_elsewhere'])
  expect(await manage.read(ann, id)).toMatchObject({ prompt: 'Read all my mail' })
  await manage.remove('ann', id, version + 1)
  await manage.remove('ann', id, version + 1)
  expect(await manage.list(ann)).toEqual([])
})

it('two at the same moment cannot both be the last one', async () => {
  const { manage } = open()
  const bob = { ...ann, sub: 'bob', limits: { max_schedules: 1 } }
  const results = await Promise.allSettled([manage.create(bob, body), manage.create(bob, body)])
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
  expect((await manage.list(bob)).length).toBeLessThanOrEqual(1)
})

it('what an administrator has paused neither goes on nor runs by its person, whatever else they change', async () => {
  const { manage, schedules, world } = open()
  const { id } = await manage.create(ann, body)
  await schedules.hold('ann', id)
  expect(await refusal(manage.change(ann, id, { paused: false }))).toEqual([
    403,
    'schedule_paused_by_administrator',
  ])
  expect(await refusal(manage.run(ann, id))).toEqual([403, 'schedule_paused_by_administrator'])
  const changed = await manage.change(ann, id, { rule: { kind: 'daily', time: '09:00' } })
  expect(changed.next_at).toBeUndefined()
  await schedules.release('ann', id, () => world.now + minuteMs)
  expect(await manage.read(ann, id)).toMatchObject({ next_at: '2026-12-01T07:31:00.000Z' })
})

it('what its person had paused before an administrator did stays paused after it', async () => {
  const { manage, schedules, world } = open()
  const { id } = await manage.create(ann, { ...body, paused: true })
  await schedules.hold('ann', id)
  await schedules.hold('ann', id)
  expect(await manage.read(ann, id)).toMatchObject({ paused_because: 'administrator' })
  await schedules.release('ann', id, () => world.now)
  const released = await manage.read(ann, id)
  expect(released).toMatchObject({ paused_because: 'user' })
  expect(released.next_at).toBeUndefined()
})

it('what is created while an administrator holds a person’s schedules waits for them, whatever was deleted', async () => {
  const { manage, schedules, world, run, begun } = open()
  const first = await manage.create(ann, body)
  await schedules.setHeld('ann', true)
  await schedules.hold('ann', first.id)
  await manage.remove('ann', first.id)
  const later = await manage.create(ann, body)
  expect(later).toMatchObject({ paused_because: 'administrator' })
  expect(later).not.toHaveProperty('next_at')
  expect(await refusal(manage.run(ann, later.id))).toEqual([403, 'schedule_paused_by_administrator'])
  expect(await manage.create(ann, { ...body, paused: true })).toMatchObject({
    paused_because: 'administrator',
  })
  await run(61)
  expect(begun.size).toBe(0)
  // others are not affected
  expect(await manage.create({ ...ann, sub: 'bob' }, body)).not.toHaveProperty('paused_because')
  await schedules.setHeld('ann', false)
  for (const { id } of await schedules.list('ann')) await schedules.release('ann', id, () => world.now)
  const left = (await manage.list(ann)).map(({ paused_because = 'on' }) => paused_because)
  expect(left.toSorted()).toEqual(['on', 'user'])
  expect(await manage.create(ann, body)).not.toHaveProperty('paused_because')
})

it('an administrator who holds the schedules in the moment of a creation holds the new one', async () => {
  const { manage, schedules } = open({
    listTools: async () => {
      await schedules.setHeld('ann', true)
      return [mailTool]
    },
  })
  expect(await manage.create(ann, { ...body, writes: ['gmail_send_email'] })).toMatchObject({
    paused_because: 'administrator',
  })
})

it('what its person pauses while an administrator holds it stays paused after it', async () => {
  const { manage, schedules, world } = open()
  const { id } = await manage.create(ann, body)
  await schedules.hold('ann', id)
  expect(await manage.change(ann, id, { paused: true })).toMatchObject({ paused_because: 'administrator' })
  await schedules.release('ann', id, () => world.now)
  const released = await manage.read(ann, id)
  expect(released).toMatchObject({ paused_because: 'user' })
  expect(released.next_at).toBeUndefined()
})

it('nothing is run by hand while all schedules are stopped', async () => {
  const { manage, world, queue } = open()
  const { id } = await manage.create(ann, body)
  world.stop.isStopped = true
  expect(await refusal(manage.run(ann, id))).toEqual([409, 'schedules_stopped'])
  expect(queue).toEqual([])
})

it.each<[string, Partial<ScheduleAddition>]>([
  ['the rule', { rule: body.rule }],
  ['the zone', { time_zone: body.time_zone }],
  ['that it goes on', { paused: false }],
])('a run that is due stays due if a change repeats %s as it is', async (_, repeated) => {
  const { manage, run, begun, world } = open()
  const { id } = await manage.create(ann, body)
  world.now = Date.parse('2026-12-01T08:00:30Z')
  await manage.change(ann, id, { prompt: 'Read my mail, and answer', ...repeated })
  await run(2)
  expect([...begun.keys()]).toEqual([`${id}-${Date.parse('2026-12-01T08:00Z')}`])
})

it('one whose only time is over can be changed while it repeats its rule, and goes on with a new one only', async () => {
  const { manage, run, begun, world } = open()
  const once = { ...body, rule: { kind: 'once', at: '2026-12-01T08:00Z' } } as const
  const { id } = await manage.create(ann, once)
  world.now = Date.parse('2026-12-01T07:59Z')
  await run(2)
  expect(begun.size).toBe(1)
  expect(await manage.change(ann, id, { prompt: 'Once more', rule: once.rule })).toMatchObject({
    prompt: 'Once more',
  })
  expect(await refusal(manage.change(ann, id, { paused: false }))).toEqual([400, 'bad_request'])
})

// from reports about other products, each named by its repository and number
it('a nearer time after a change of the rule counts, and the far one is forgotten (kohana-cron#2, duplicati#2487)', async () => {
  const { manage, run, begun, world } = open()
  const far = { kind: 'monthly', day: 2, time: '07:00' } as const
  const { id } = await manage.create(ann, { ...body, rule: far })
  const changed = await manage.change(ann, id, { rule: { kind: 'weekly', days: ['tu'], time: '08:00' } })
  expect(changed.next_at).toBe('2026-12-01T08:00:00.000Z')
  await run(40)
  world.now = Date.parse('2026-12-02T06:55Z')
  await run(30)
  expect([...begun.keys()]).toEqual([`${id}-${Date.parse('2026-12-01T08:00Z')}`])
})

it('a clock that was half a year ahead holds nothing up once its person resumes the schedule (duplicati#1369)', async () => {
  const { manage, run, begun, world } = open()
  const { id } = await manage.create(ann, body)
  world.now = Date.parse('2027-06-01T09:00Z')
  await run(3)
  world.now = Date.parse('2026-12-01T07:35Z')
  begun.clear()
  await manage.change(ann, id, { paused: true })
  expect(await manage.change(ann, id, { paused: false })).toMatchObject({
    next_at: '2026-12-01T08:00:00.000Z',
  })
  await run(40)
  expect([...begun.keys()]).toEqual([`${id}-${Date.parse('2026-12-01T08:00Z')}`])
})

it('what was scheduled days before the first dispatcher ever ran is found', async () => {
  const { manage, run, begun, world } = open()
  const { id } = await manage.create(ann, body)
  world.now = Date.parse('2026-12-04T21:30Z')
  await run(2)
  expect(await manage.read(ann, id)).toMatchObject({
    next_at: '2026-12-05T08:00:00.000Z',
    last_run: { status: 'skipped', because: 'missed' },
  })
  world.now = Date.parse('2026-12-05T07:59Z')
  await run(3)
  expect([...begun.keys()]).toEqual([`${id}-${Date.parse('2026-12-05T08:00Z')}`])
})

it('tools that run without asking need a recent sign-in, also where what they do is changed; pausing does not', async () => {
  const { manage, world } = open()
  const writes = ['gmail_send_email']
  const signedInAt = world.now / 1_000
  const { id } = await manage.create({ ...ann, signedInAt }, { ...body, writes })
  const stolen = { ...ann, signedInAt: signedInAt - 901 }
  const tooOld = [403, 'sign_in_again']
  expect(await refusal(manage.create(stolen, { ...body, writes }))).toEqual(tooOld)
  expect(await refusal(manage.change(stolen, id, { prompt: 'Send all to Eve' }))).toEqual(tooOld)
  await manage.change(stolen, id, { paused: true })
  expect(await refusal(manage.change(stolen, id, { paused: false }))).toEqual(tooOld)
  await manage.change(stolen, id, { writes: 'ask', paused: false })
  expect(await refusal(manage.change(stolen, id, { writes }))).toEqual(tooOld)
  expect(await manage.read(ann, id)).toMatchObject({ paused: false, writes: 'ask' })
})
