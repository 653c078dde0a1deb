import { afterEach, describe, expect, it, vi } from 'vitest'
import { maxRunTokens } from '#shared/limits.ts'
import { sayModel } from '#shared/sentences/model.ts'
import { openSharedStores, openStores } from '../../../test/support/conversations.ts'
import { noAssistants } from '../../../test/support/assistants.ts'
import {
  openTurnDeps,
  replyingModel,
  sendingTool,
  toolProviderWith,
  unlimitedReservation,
} from '../../../test/support/turns.ts'
import { createModelList } from '../../chat/model-list.ts'
import { SiteBudgetUsedUp, TooManyReplies } from '../../chat/errors.ts'
import type { Reservation } from '../../chat/reply-budget.ts'
import { sendMessage } from '../../chat/send-message.ts'
import { deleteConversation } from '../../conversations/delete-conversation.ts'
import { readConversation } from '../../conversations/read-conversation.ts'
import type { Model } from '../../models/model.ts'
import { ModelError, modelErrors, type ModelErrorKind } from '../../models/model-errors.ts'
import { logger } from '../../platform/telemetry/logger.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { fingerprintTool } from '../../tools/calls/tool.ts'
import { runSchedule, type RunScheduleDeps } from './run-schedule.ts'
import { scheduleRepository } from '../schedule-repository.ts'
import { toRunMessage, type ScheduleRow } from '../schedule-row.ts'

vi.stubEnv('LOG_LEVEL', 'silent')
const shared = await openSharedStores()
const at = Date.parse('2026-12-07T08:00Z')
const hourMs = 3_600_000
const invocation = { requestId: 'r', remainingMs: () => 300_000, log: logger }

afterEach(() => void vi.useRealTimers())
/** Moves the clock; what waits for a timer waits on. */
const moveTo = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: ms })

const round = { text: '', toolCalls: [], truncated: false, inputTokens: 10, outputTokens: 10 }
/** Sends once, then says so. */
const sendingModel: Model = {
  async complete({ messages, onText }) {
    if (messages.at(-1)?.role !== 'tool')
      return { ...round, toolCalls: [{ id: 'c1', name: 'send', arguments: '{"to":"ann"}' }] }
    onText('Sent.')
    return { ...round, text: 'Sent.' }
  },
}

/** A schedule that was just handed over, and what its worker needs. */
async function handOver({
  writer = sendingModel,
  isApproved = true,
  ...fields
}: Partial<ScheduleRow> & { writer?: Model; isApproved?: boolean } = {}) {
  moveTo(at)
  const sub = crypto.randomUUID()
  const schedules = scheduleRepository(shared.table)
  const { sent, tool: ownTool } = sendingTool()
  const tool = { ...ownTool, integration: { mcpId: 'mail', name: 'Mail' } }
  const row: ScheduleRow = {
    id: 'monday',
    v: 1,
    version: 1,
    prompt: 'Answer my mail',
    rule: { kind: 'weekly', days: ['mo'], time: '08:00' },
    time_zone: 'UTC',
    session_id: crypto.randomUUID(),
    writes: isApproved ? [{ name: 'send', fingerprint: fingerprintTool(tool) }] : 'ask',
    notify: [],
    created_at: 1,
    approved_at: 1,
    failures: 0,
    handed: { at, since: at },
    ...fields,
  }
  await schedules.create(sub, row)
  const notified: string[] = []
  const openDeps = (table: Table, changes: Partial<RunScheduleDeps> = {}): RunScheduleDeps => {
    const stores = { ...openStores(table), table, close: () => undefined }
    return {
      schedules: scheduleRepository(table),
      stores,
      loadPrincipal: async () => ({ sub, issuedAt: Math.floor(Date.now() / 1_000), groups: [] }),
      openReplyDeps: async () => ({
        ...openTurnDeps(stores as never),
        models: createModelList({ models: [], defaultId: 'test-model', open: () => writer }),
        toolProvider: toolProviderWith(tool),
        reservation: unlimitedReservation,
      }),
      readKey: async () => '',
      endPendingCalls: async () => undefined,
      announce: async (_, scheduleId) => {
        notified.push(scheduleId)
        return true
      },
      isStopped: async () => false,
      now: () => Date.now(),
      ...changes,
    }
  }
  return {
    sub,
    row,
    sent,
    notified,
    schedules,
    openDeps,
    find: () => schedules.find(sub, row.id),
    read: () => readConversation(shared, { sub, sessionId: row.session_id }),
    work: (changes: Partial<RunScheduleDeps> = {}, table: Table = shared.table, time = at) =>
      runSchedule(toRunMessage(sub, row.id, time), invocation, openDeps(table, changes)),
    /** As the dispatcher does for the next time. */
    handNext: async (time: number) => {
      moveTo(time)
      await schedules.change(sub, row.id, () => ({ handed: { at: time, since: time } }))
    },
  }
}

/** A table whose function dies before its n-th write: what it has sent is never answered. */
function dyingTable(table: Table, n: number) {
  const { promise: died, resolve } = Promise.withResolvers<void>()
  let writes = 0
  let isDead = false
  const send = (async (command: { constructor: { name: string } }) => {
    if (!/^(?:Get|Query|BatchGet)/.test(command.constructor.name)) isDead ||= writes++ === n
    if (!isDead) return table.client.send(command as never)
    resolve()
    return new Promise(() => undefined)
  }) as Table['client']['send']
  return { table: { name: table.name, client: { send } as Table['client'] }, died }
}

it('runs a schedule as a turn of its conversation, and records it', async () => {
  const { work, find, read, sent } = await handOver()
  expect(await work()).toBe('settled')
  expect(sent).toHaveLength(1)
  expect((await read()).messages).toMatchObject([
    { role: 'user', content: 'Answer my mail', id: `monday-${at}` },
    { role: 'assistant', content: 'Sent.' },
  ])
  const { handed, last_run, failures } = (await find()) ?? {}
  expect({ handed, last_run, failures }).toEqual({
    handed: undefined,
    last_run: { at, status: 'done', message_id: `monday-${at}`, by_hand: false },
    failures: 0,
  })
  expect(await work()).toBe('gone')
})

it('a run whose conversation is too long for its model goes on with less of it', async () => {
  const answering = replyingModel('Done.')
  const sizes: number[] = []
  let window = Infinity
  const writer: Model = {
    async complete(request) {
      const size = JSON.stringify(request.messages).length
      sizes.push(size)
      if (size > window) throw new ModelError(modelErrors.tooLong, 'too long')
      return answering.complete(request)
    },
  }
  const { work, handNext, find } = await handOver({ writer, prompt: 'Answer my mail. '.repeat(300) })
  await work()
  const weekMs = 7 * 24 * hourMs
  for (let week = 1; week <= 6; week += 1) {
    await handNext(at + week * weekMs)
    if (week === 6) window = Math.max(...sizes) - 1_000
    expect(await work({}, shared.table, at + week * weekMs)).toBe('settled')
  }
  expect(Math.max(...sizes)).toBeGreaterThan(window)
  expect((await find())?.last_run?.status).toBe('done')
})

// more than a run writes: the last ones are not reached
it.each(Array.from({ length: 16 }, (_, n) => n))(
  'a function that dies before its write %i leads to one run, which is recorded, and is never begun again',
  async (n) => {
    const { work, find, sent, sub, row, notified } = await handOver({ notify: ['push'] })
    const dying = dyingTable(shared.table, n)
    await Promise.race([work({}, dying.table), dying.died])
    const isBegun = (await find())?.begun !== undefined
    const sentBefore = sent.length
    // the dispatcher sends it again, each few minutes
    for (let minutes = 5; minutes <= 15; minutes += 5) {
      moveTo(at + minutes * 60_000)
      await work()
    }
    // one that has begun sends nothing any more
    expect(sent.length).toBe(isBegun ? sentBefore : 1)
    const { handed, last_run } = (await find()) ?? {}
    expect(handed).toBeUndefined()
    expect(last_run?.status).toMatch(isBegun ? /^(?:done|failed)$/ : /^done$/)
    // its writer could not tell of it any more
    expect(notified).toHaveLength(last_run?.status === 'failed' ? 1 : 0)
    const { messages } = await shared.messages.loadNewest(sub, row.session_id, {})
    expect(messages.filter(({ role }) => role === 'user').length).toBeLessThanOrEqual(1)
  },
)

it('two workers that get the message at the same moment run it once', async () => {
  const { work, find, sent } = await handOver()
  await Promise.all([work(), work()])
  await work()
  expect(sent).toHaveLength(1)
  expect((await find())?.last_run).toMatchObject({ status: 'done' })
})

it('a run is not begun again though its person deletes its conversation’s messages', async () => {
  const { work, sub, row, sent, find, schedules } = await handOver()
  // dies when it records the end
  const { promise: died, resolve: die } = Promise.withResolvers<void>()
  const change = async () => {
    die()
    return new Promise<never>(() => undefined)
  }
  await Promise.race([work({ schedules: { ...schedules, change } }), died])
  expect(sent).toHaveLength(1)
  await deleteConversation(shared as never, { sub, sessionId: row.session_id })
  moveTo(at + 10 * 60_000)
  await work()
  expect(sent).toHaveLength(1)
  expect((await find())?.last_run).toMatchObject({ status: 'failed' })
})

it('a write that was not approved waits; the next run is skipped while it does, and ends it after 72 hours', async () => {
  const { work, find, read, sent, handNext } = await handOver({ isApproved: false })
  await work()
  expect((await find())?.last_run).toMatchObject({ status: 'waiting' })
  expect((await read()).run).toMatchObject({ status: 'waiting', questions: [{ tool: 'send' }] })
  const second = at + 71 * hourMs
  await handNext(second)
  await work({}, shared.table, second)
  expect((await find())?.last_run).toMatchObject({ at: second, status: 'skipped', because: 'waiting' })
  const third = at + 73 * hourMs
  await handNext(third)
  await work({}, shared.table, third)
  expect((await find())?.last_run).toMatchObject({ at: third, status: 'waiting' })
  expect((await read()).messages.map(({ content, ended }) => [content, ended])).toEqual([
    ['Answer my mail', undefined],
    ['', 'stopped'],
    ['Answer my mail', undefined],
  ])
  expect(sent).toEqual([])
})

it.each<[string, Partial<RunScheduleDeps>, Partial<ScheduleRow>]>([
  ['signed_out', { loadPrincipal: async () => 'signed_out' }, { paused_because: 'signed_out' }],
  ['account', { loadPrincipal: async () => 'account' }, { paused_because: 'account' }],
  [
    'not_allowed',
    { openReplyDeps: async () => ({ limits: { schedules: false } }) as never },
    { paused_because: 'not_allowed' },
  ],
])('pauses, and begins nothing: %s', async (because, deps, expected) => {
  const { work, find, sent } = await handOver({ next_at: at + hourMs })
  expect(await work(deps)).toBe('settled')
  const row = await find()
  expect(row).toMatchObject({ ...expected, last_run: { status: 'skipped', because } })
  expect([row?.next_at, row?.begun, sent]).toEqual([undefined, undefined, []])
})

const refusing = (error: Error): Partial<RunScheduleDeps> => ({
  openReplyDeps: async () => ({
    ...openTurnDeps(shared),
    models: createModelList({ models: [], defaultId: 'test-model', open: () => replyingModel('') }),
    reservation: { ...unlimitedReservation, admit: () => Promise.reject(error) },
  }),
})

it('begins later if its person has too many replies at the moment', async () => {
  const { work, find, sent } = await handOver()
  expect(await work(refusing(new TooManyReplies('full')))).toBe('later')
  expect(await find()).toMatchObject({ handed: { at } })
  expect(await work()).toBe('settled')
  expect(sent).toHaveLength(1)
})

it('skips a run that a budget refuses, and never pauses for that', async () => {
  const { work, find, handNext } = await handOver()
  const usedUp = refusing(new SiteBudgetUsedUp('used up', 60))
  await work(usedUp)
  for (let n = 1; n <= 3; n++) {
    await handNext(at + n)
    await work(usedUp, shared.table, at + n)
  }
  const { failures, last_run, paused_because } = (await find()) ?? {}
  expect({ failures, last_run, paused_because }).toEqual({
    failures: 0,
    last_run: { at: at + 3, status: 'skipped', because: 'budget.everybody', by_hand: false },
    paused_because: undefined,
  })
})

it('pauses with the third failure in a row; those by hand do not count', async () => {
  const failing: Model = { complete: () => Promise.reject(new ModelError(modelErrors.key, 'no')) }
  const { work, find, handNext, schedules, sub } = await handOver({ writer: failing })
  await schedules.change(sub, 'monday', () => ({ handed: { at, since: at, by_hand: true } }))
  await work()
  for (let n = 1; n <= 3; n++) {
    expect(await find()).toMatchObject({ failures: n - 1, last_run: { status: 'failed' } })
    await handNext(at + n)
    await work({}, shared.table, at + n)
  }
  expect(await find()).toMatchObject({ failures: 3, paused_because: 'failures' })
})

it('runs nothing of a schedule that was paused since, except by hand', async () => {
  const { work, find, schedules, sub, sent, handNext } = await handOver({ paused_because: 'user' })
  await work()
  expect((await find())?.last_run).toMatchObject({ status: 'skipped', because: 'paused' })
  await handNext(at + 1)
  await schedules.change(sub, 'monday', ({ handed }) => ({ handed: handed && { ...handed, by_hand: true } }))
  await work({}, shared.table, at + 1)
  expect(sent).toHaveLength(1)
})

it('pauses once its conversation was deleted', async () => {
  const { work, find, handNext, sub, row, sent } = await handOver()
  await work()
  await deleteConversation(shared as never, { sub, sessionId: row.session_id })
  await handNext(at + hourMs)
  await work({}, shared.table, at + hourMs)
  expect(await find()).toMatchObject({ paused_because: 'conversation_deleted' })
  expect(sent).toHaveLength(1)
})

it('pauses without its assistant, also by hand, and runs with another one in a new conversation', async () => {
  const { work, find, handNext, schedules, sub, row, sent, notified, openDeps } = await handOver({
    assistant_id: 'a1',
    notify: ['push'],
  })
  const gone = new Set<string>()
  const openReplyDeps: RunScheduleDeps['openReplyDeps'] = async (caller) => ({
    ...(await openDeps(shared.table).openReplyDeps(caller)),
    assistants: {
      ...noAssistants,
      find: async (_, id) =>
        gone.has(id)
          ? undefined
          : ({ id, name: id, version: 1, disabled_tools: [], publisher: sub } as never),
    },
  })
  await work({ openReplyDeps })
  expect(await find()).toMatchObject({ last_run: { status: 'done' } })
  gone.add('a1')
  for (const [hours, isByHand] of [
    [1, false],
    [2, true],
  ] as const) {
    const time = at + hours * hourMs
    await handNext(time)
    if (isByHand)
      await schedules.change(sub, 'monday', () => ({ handed: { at: time, since: time, by_hand: true } }))
    await work({ openReplyDeps }, shared.table, time)
    expect(await find()).toMatchObject({
      paused_because: 'assistant_withdrawn',
      last_run: { at: time, status: 'skipped', because: 'assistant_withdrawn' },
    })
  }
  expect([sent.length, notified.length]).toEqual([1, 1])
  await schedules.change(sub, 'monday', () => ({
    assistant_id: 'a2',
    session_id: crypto.randomUUID(),
    paused_because: undefined,
  }))
  await handNext(at + 3 * hourMs)
  await work({ openReplyDeps }, shared.table, at + 3 * hourMs)
  const { session_id: second = '', last_run } = (await find()) ?? {}
  expect(last_run).toMatchObject({ status: 'done' })
  const { session } = await readConversation(shared, { sub, sessionId: second })
  expect(session).toMatchObject({ assistant: { id: 'a2' } })
  const before = await readConversation(shared, { sub, sessionId: row.session_id })
  expect(before.session).toMatchObject({ assistant: { id: 'a1' } })
})

it('a run that has begun is found in its conversation, though the schedule has another one by now', async () => {
  const { work, find, schedules, sub } = await handOver()
  const write: RunScheduleDeps['schedules']['write'] = async (owner, one, fields) => {
    const isWritten = await schedules.write(owner, one, fields)
    await schedules.change(sub, 'monday', () => ({ session_id: crypto.randomUUID() }))
    return isWritten
  }
  const { find: findRow } = schedules
  // the function dies before it records the end
  const dying = { find: findRow, write, change: () => Promise.reject(new Error('it died')) }
  await expect(work({ schedules: dying })).rejects.toThrow('it died')
  expect(await work()).toBe('settled')
  expect(await find()).toMatchObject({ last_run: { status: 'done' } })
})

it('a person pauses, deletes the conversation and goes on: the next run begins a new one', async () => {
  const { work, find, handNext, schedules, sub, row, sent } = await handOver()
  await work()
  await schedules.pause(sub, row.id, 'user')
  await deleteConversation(shared as never, { sub, sessionId: row.session_id })
  await schedules.change(sub, row.id, () => ({ paused_because: undefined, next_at: at + hourMs }))
  await handNext(at + hourMs)
  await work({}, shared.table, at + hourMs)
  expect(await find()).toMatchObject({ last_run: { at: at + hourMs, status: 'done' } })
  expect(sent).toHaveLength(2)
})

it('a run by hand of a paused schedule finds its conversation deleted: the next one begins a new one', async () => {
  const { work, find, handNext, schedules, sub, row, sent } = await handOver()
  await work()
  await schedules.pause(sub, row.id, 'user')
  await handNext(at + hourMs)
  await schedules.change(sub, row.id, ({ handed }) => ({ handed: handed && { ...handed, by_hand: true } }))
  // before the schedules of the conversation are looked for
  await shared.conversations.markDeleted(sub, row.session_id, Date.now())
  await work({}, shared.table, at + hourMs)
  expect(await find()).toMatchObject({ paused_because: 'user', last_run: { status: 'skipped' } })
  await handNext(at + 2 * hourMs)
  await schedules.change(sub, row.id, ({ handed }) => ({ handed: handed && { ...handed, by_hand: true } }))
  await work({}, shared.table, at + 2 * hourMs)
  expect(sent).toHaveLength(2)
})

it.each([
  ['its effort', 'test-model', 'high'],
  ['its model', 'gone', 'low'],
  ['neither', 'test-model', 'low'],
])(
  'runs, and does not fail until it is paused, where %s is no longer offered',
  async (what, model, effort) => {
    const efforts: (string | undefined)[] = []
    const writer: Model = {
      complete: async (call) => {
        efforts.push(call.effort)
        return sendingModel.complete(call)
      },
    }
    const { work, find, openDeps } = await handOver({ model, effort })
    const models = createModelList({
      models: [{ id: 'test-model', efforts: ['low'] }],
      defaultId: 'test-model',
      open: () => writer,
    })
    await work({
      openReplyDeps: async (caller) => ({ ...(await openDeps(shared.table).openReplyDeps(caller)), models }),
    })
    expect((await find())?.last_run).toMatchObject({ status: 'done' })
    expect(new Set(efforts)).toEqual(new Set([what === 'neither' ? 'low' : undefined]))
  },
)

it('ends a run that uses up its tokens', async () => {
  const hungry: Model = {
    complete: async (call) => ({ ...(await sendingModel.complete(call)), inputTokens: 60_000 }),
  }
  const { work, find, read } = await handOver({ writer: hungry })
  await work()
  expect((await find())?.last_run).toMatchObject({ status: 'failed', because: 'incomplete' })
  expect((await read()).messages.at(-1)).toMatchObject({ incomplete_reason: 'budget' })
})

it('begins nothing while all schedules are stopped, and records what had begun', async () => {
  const { work, find, sent, schedules, sub, row } = await handOver()
  expect(await work({ isStopped: async () => true })).toBe('later')
  expect([sent, await find()]).toMatchObject([[], { handed: { at } }])
  // the stop ends
  expect(await work()).toBe('settled')
  expect(sent).toHaveLength(1)
  await schedules.change(sub, row.id, () => ({ handed: { at, since: at } }))
  expect(await work({ isStopped: async () => true })).toBe('settled')
  expect(sent).toHaveLength(1)
})

it('runs nothing that an administrator has paused, though its person has started it', async () => {
  const { work, find, sent } = await handOver({
    handed: { at, since: at, by_hand: true },
    paused_because: 'administrator',
  })
  await work()
  expect([sent, await find()]).toMatchObject([[], { last_run: { status: 'skipped', because: 'paused' } }])
})

it('tells its person once for each cause that a run did not begin, until one succeeds', async () => {
  const { work, find, handNext, notified, sent } = await handOver({ notify: ['mail'], next_at: at + hourMs })
  const usedUp = refusing(new SiteBudgetUsedUp('used up', 60))
  await work(usedUp)
  expect(notified).toEqual(['monday'])
  await handNext(at + 1)
  await work(usedUp, shared.table, at + 1)
  expect([notified.length, (await find())?.failures]).toEqual([1, 0])
  await handNext(at + 2)
  await work({}, shared.table, at + 2)
  // its reply tells of itself
  expect([sent.length, notified.length, (await find())?.announced_cause]).toEqual([1, 1, undefined])
  await handNext(at + 3)
  await work(usedUp, shared.table, at + 3)
  expect(notified).toHaveLength(2)
  await handNext(at + 4)
  await work({ loadPrincipal: async () => 'not_allowed' }, shared.table, at + 4)
  expect([notified.length, await find()]).toMatchObject([3, { paused_because: 'not_allowed' }])
})

it('tells it the next time if it could not be told, and nobody who wants to hear nothing', async () => {
  const { work, find, handNext, notified } = await handOver({ notify: ['push'] })
  const refused = { loadPrincipal: async () => 'not_allowed' as const }
  await work({ ...refused, announce: async () => false })
  expect((await find())?.announced_cause).toBeUndefined()
  await handNext(at + 1)
  await work(refused, shared.table, at + 1)
  // skipped as it is paused, which its owner has not heard of
  expect(notified).toEqual(['monday'])
  const silent = await handOver({ notify: [] })
  await silent.work(refused)
  expect(silent.notified).toEqual([])
})

it('a run that is skipped because the one before waits tells nothing more', async () => {
  const { work, handNext, notified } = await handOver({ isApproved: false, notify: ['push'] })
  await work()
  await handNext(at + hourMs)
  await work({}, shared.table, at + hourMs)
  expect(notified).toEqual([])
})

it('a schedule that is deleted during its run ends with it, and leaves nothing to repeat (sapphire#5)', async () => {
  let remove = async () => undefined as void
  const writer: Model = {
    complete: async (call) => {
      await remove()
      return sendingModel.complete(call)
    },
  }
  const { work, find, schedules, sub, row, sent, read } = await handOver({ writer })
  remove = () => schedules.remove(sub, row.id)
  expect(await work()).toBe('settled')
  expect(await find()).toBeUndefined()
  expect(await work()).toBe('gone')
  expect(sent).toHaveLength(1)
  expect((await read()).messages).toHaveLength(2)
})

const busyFor = (seconds: number) => ({
  ...modelErrors.busy,
  sentence: sayModel('model_busy.wait', { seconds }),
})

/** Does the work after a reply, as that of the product. */
const finishingReservation: Reservation = {
  ...unlimitedReservation,
  async settleAfter(ended, finish) {
    const result = await ended
    await finish?.(result)
    return result
  },
}

/** A model that fails a few times, and then does as `sendingModel`. */
function recoveringModel(times: number, error: ModelErrorKind = modelErrors.busy): Model {
  let calls = 0
  return {
    complete: async (call) => {
      if (calls++ < times) throw new ModelError(error, 'test')
      return sendingModel.complete(call)
    },
  }
}

describe('a model that is busy', () => {
  it('is asked again after growing waits, in the same turn, and nobody is told of its failures', async () => {
    const { work, find, read, sent, openDeps } = await handOver({
      writer: recoveringModel(5),
      notify: ['push'],
      failures: 2,
    })
    const announced: unknown[] = []
    const openReplyDeps: RunScheduleDeps['openReplyDeps'] = async (caller) => ({
      ...(await openDeps(shared.table).openReplyDeps(caller)),
      reservation: finishingReservation,
      announce: async ({ schedule }) => void announced.push(schedule?.id),
    })
    let now = at
    for (const [retries, minutes] of [1, 2, 4, 8, 15].entries()) {
      moveTo(now)
      expect(await work({ openReplyDeps })).toBe('later')
      const { handed, begun, failures, last_run } = (await find()) ?? {}
      const retry_at = now + minutes * 60_000
      expect({ handed, begun, failures, last_run }).toEqual({
        handed: { at, since: at, retries: retries + 1, retry_at, because: 'model_busy' },
        begun: undefined,
        failures: 2,
        last_run: undefined,
      })
      // a message that comes twice, or too early
      expect(await work({ openReplyDeps })).toBe('later')
      now = retry_at
    }
    expect([announced, sent]).toEqual([[], []])
    moveTo(now)
    expect(await work({ openReplyDeps })).toBe('settled')
    expect(await find()).toMatchObject({ failures: 0, last_run: { status: 'done' } })
    expect([announced, sent.length]).toEqual([['monday'], 1])
    expect((await read()).messages.map(({ content }) => content)).toEqual(['Answer my mail', 'Sent.'])
  })

  it('fails the run once it was busy for half an hour, which counts once and is told once', async () => {
    const { work, find, openDeps } = await handOver({ writer: recoveringModel(100) })
    let announced = 0
    const openReplyDeps: RunScheduleDeps['openReplyDeps'] = async (caller) => ({
      ...(await openDeps(shared.table).openReplyDeps(caller)),
      reservation: finishingReservation,
      announce: async () => void announced++,
    })
    for (const minutes of [0, 1, 3, 7, 15]) {
      moveTo(at + minutes * 60_000)
      expect(await work({ openReplyDeps })).toBe('later')
    }
    moveTo(at + 30 * 60_000)
    expect(await work({ openReplyDeps })).toBe('settled')
    expect([announced, await find()]).toMatchObject([
      1,
      { failures: 1, last_run: { status: 'failed', because: 'model_busy' } },
    ])
  })

  it('that says for how long is asked then, and not at all if that is more than an hour', async () => {
    const { work, find } = await handOver({ writer: recoveringModel(1, busyFor(600)) })
    expect(await work()).toBe('later')
    expect((await find())?.handed?.retry_at).toBe(at + 600_000)
    const daily = await handOver({ writer: recoveringModel(1, busyFor(86_400)) })
    expect(await daily.work()).toBe('settled')
    expect(await daily.find()).toMatchObject({ failures: 1, last_run: { because: 'model_busy' } })
  })

  it.each([
    ['model_loading', modelErrors.loading, 'later'],
    ['model_unreachable', modelErrors.unreachable, 'later'],
    ['model_broken', modelErrors.broken, 'later'],
    ['model_key_refused', modelErrors.key, 'settled'],
  ])('as one that fails with %s', async (because, error, result) => {
    const { work, find } = await handOver({ writer: recoveringModel(1, error) })
    expect(await work()).toBe(result)
    const { handed, last_run } = (await find()) ?? {}
    expect((handed ?? last_run)?.because).toBe(because)
  })

  it('after a tool was called is not asked again: the run is not done twice', async () => {
    const writer: Model = {
      complete: async (call) => {
        if (call.messages.at(-1)?.role === 'tool') throw new ModelError(modelErrors.busy, 'test')
        return sendingModel.complete(call)
      },
    }
    const { work, find, sent } = await handOver({ writer })
    expect(await work()).toBe('settled')
    expect([sent.length, (await find())?.last_run]).toMatchObject([1, { because: 'model_busy' }])
  })

  it('fails a run by hand at once: its person is there', async () => {
    const { work, find } = await handOver({
      writer: recoveringModel(1),
      handed: { at, since: at, by_hand: true },
    })
    expect(await work()).toBe('settled')
    expect((await find())?.last_run).toMatchObject({ status: 'failed', by_hand: true })
  })

  it('is not asked again in a conversation that has gone on', async () => {
    const { work, find, sub, row, openDeps, sent } = await handOver({ writer: recoveringModel(1) })
    await work()
    const { stores, openReplyDeps, readKey } = openDeps(shared.table)
    const deps = { ...(await openReplyDeps({} as never)), stores, readKey }
    const outcome = await sendMessage(
      {
        ...invocation,
        user: { sub, issuedAt: 1, groups: [] },
        receivedAtMs: 0,
        guard: async () => undefined,
        body: { messages: [{ role: 'user', content: 'Never mind' }], sessionId: row.session_id },
      },
      deps,
    )
    if (outcome.kind === 'live') await outcome.finished
    moveTo(at + 60_000)
    const before = sent.length
    expect(await work()).toBe('settled')
    expect([sent.length, await find()]).toMatchObject([
      before,
      { last_run: { status: 'failed', because: 'model_busy' } },
    ])
  })

  it('is asked again though the function died before it could store when', async () => {
    const { work, find, schedules, sent } = await handOver({ writer: recoveringModel(1) })
    const { find: findRow, write } = schedules
    const dying = { find: findRow, write, change: () => Promise.reject(new Error('it died')) }
    await expect(work({ schedules: dying })).rejects.toThrow('it died')
    expect(await work()).toBe('later')
    moveTo(at + 60_000)
    expect(await work()).toBe('settled')
    expect([sent.length, await find()]).toMatchObject([1, { last_run: { status: 'done' } }])
  })

  it('has the tokens of one run for all attempts', async () => {
    const hungry: Model = {
      complete: async (call) => {
        call.onText('')
        throw new ModelError(modelErrors.broken, 'test')
      },
    }
    const { work, find, row, schedules, sub } = await handOver({ writer: hungry })
    await work()
    const { used = 0 } = (await find())?.handed ?? {}
    expect(used).toBeGreaterThan(0)
    await schedules.change(sub, row.id, ({ handed }) => ({
      handed: handed && { ...handed, used: maxRunTokens },
    }))
    moveTo(at + 60_000)
    expect(await work()).toBe('settled')
    expect((await find())?.last_run).toMatchObject({ status: 'failed', because: 'budget.schedule' })
  })
})
