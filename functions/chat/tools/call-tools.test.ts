import { sayTool } from '#shared/sentences/tools.ts'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { ServerTask } from '../../platform/server-task.ts'
import { buildCallContext, buildTool, listEvents } from '../../../test/support/reply-input.ts'
import { ReconnectRequired } from '../../providers/reconnect-required.ts'
import type { CallHistory } from '../../conversations/store/run.ts'
import { InputRequired, TaskUnfinished } from '../../tools/calls/unfinished-calls.ts'
import { zodParameters, type Tool } from '../../tools/calls/tool.ts'
import { listOffered, runSteps, startCalls } from './call-tools.ts'
import type { PreparedCall } from './run-tool.ts'
import type { ActiveReply } from '../reply.ts'

const mail = { mcpId: 'mail', name: 'Mail' }
const task: ServerTask = { id: 't1', server: 's', createdAtMs: 1, pollMs: 1 }
const cancel = vi.fn<(task: ServerTask) => Promise<void>>(async () => undefined)

const aTool = (changes: Partial<Tool> = {}) =>
  buildTool({
    integration: mail,
    tasks: { check: async (known) => ({ isReady: false, task: known }), cancel },
    ...changes,
  })
const failing = (error: Error) => aTool({ run: () => Promise.reject(error) })
const prepare = (tool: Tool, history?: CallHistory, id = 'c1'): PreparedCall => ({
  call: { id, name: tool.name, arguments: '{}' },
  tool,
  input: {},
  problem: undefined,
  history,
})

describe('a call that lacks something', () => {
  async function run(
    error: Error,
    { history, canAskUser }: { history?: CallHistory | undefined; canAskUser?: boolean } = {},
  ) {
    cancel.mockClear()
    const context = buildCallContext(canAskUser === undefined ? {} : { canAskUser })
    const pending = await runSteps(context, [
      { prepared: prepare(failing(error), history), permission: 'reading' },
    ])
    const errors = listEvents(context.events).map((event) => ('errorText' in event ? event.errorText : event))
    return { pending, errors, cancelled: cancel.mock.calls.map(([{ id }]) => id) }
  }
  const fiveTimes = 'Mail has asked the user for input 5 times in this call, so the call was ended.'
  const needsScopes = new ReconnectRequired(mail, { reason: { kind: 'scopes', host: 'mail.example' } })
  const hasMoved = new ReconnectRequired(mail, { reason: { kind: 'moved', host: 'mail.example' } })

  it.each<[string, Error, CallHistory | undefined, object]>([
    ['its server needs longer', new TaskUnfinished(task), undefined, { kind: 'task', history: { task } }],
    ['its connection', hasMoved, { steppedUp: true }, { kind: 'reconnect', history: { steppedUp: true } }],
    ['its connection, for no known reason', new ReconnectRequired(mail), undefined, { kind: 'reconnect' }],
    [
      'permissions',
      needsScopes,
      { rounds: 1 },
      { kind: 'reconnect', history: { rounds: 1, steppedUp: true } },
    ],
    [
      'an answer to its server',
      new InputRequired({ requests: [], task }),
      { rounds: 4 },
      { kind: 'elicitation', elicitations: [], history: { rounds: 5, task } },
    ],
  ])('waits for it: %s', async (_, error, history, request) => {
    const { pending, errors, cancelled } = await run(error, { history })
    expect(pending).toMatchObject([{ callId: 'c1', ...request }])
    expect({ errors, cancelled }).toEqual({ errors: [], cancelled: [] })
  })

  it('says why it has to be connected again', async () => {
    expect((await run(hasMoved)).pending).toMatchObject([{ reconnect: hasMoved.reason }])
    expect((await run(hasMoved)).pending[0]).not.toHaveProperty('history')
  })

  it.each<[string, Error, Parameters<typeof run>[1], string, string[]]>([
    [
      'permissions that were granted and are not enough',
      needsScopes,
      { history: { steppedUp: true } },
      'Mail still refuses this call for missing permissions, though the user has connected it again.',
      [],
    ],
    [
      'a sixth answer to its server',
      new InputRequired({ requests: [] }),
      { history: { rounds: 5 } },
      fiveTimes,
      [],
    ],
    [
      'a sixth answer to the task of its server',
      new InputRequired({ requests: [], task }),
      { history: { rounds: 5 } },
      fiveTimes,
      ['t1'],
    ],
    [
      'an answer, where nobody can give it',
      new InputRequired({ requests: [], task }),
      { canAskUser: false },
      'Not finished: the user has to answer what its server asks, in a chat of the page.',
      ['t1'],
    ],
    [
      'time, where no run can wait',
      new TaskUnfinished(task),
      { canAskUser: false },
      'The server needs longer than this reply can wait, so the task was given up. Parts of it may have been done. In a chat of the page it can be waited for.',
      ['t1'],
    ],
    [
      'its connection, where nobody can make it',
      hasMoved,
      { canAskUser: false },
      'Not done: the user has to connect it again, in a chat of the page.',
      [],
    ],
  ])('fails if it is %s', async (_, error, options, message, cancelledIds) => {
    expect(await run(error, options)).toEqual({ pending: [], errors: [message], cancelled: cancelledIds })
  })

  it('ends the reply if the product itself fails', async () => {
    const context = buildCallContext({ showFiles: () => Promise.reject(new Error('a fault')) })
    const withFile = aTool({
      run: async (_input, _signal, _history, rich) => void rich?.files.push({ name: 'a' } as never),
    })
    await expect(runSteps(context, [{ prepared: prepare(withFile), permission: 'reading' }])).rejects.toThrow(
      'a fault',
    )
  })
})

describe('a reply that is stopped', () => {
  it('ends the tasks of its calls, and records those that servers have', async () => {
    cancel.mockClear()
    const stop = new AbortController()
    stop.abort(new Error('stopped'))
    const recorded: Record<string, unknown> = {}
    const context = buildCallContext({
      signal: stop.signal,
      ledger: {
        record: ({ call: { id } }, { success }, permission) => (recorded[id] = [success, permission]),
      },
    })
    const running = runSteps(context, [
      { prepared: prepare(failing(new TaskUnfinished(task)), undefined, 'task'), permission: 'approved' },
      {
        prepared: prepare(failing(new InputRequired({ requests: [] })), undefined, 'asks'),
        permission: 'always',
      },
      {
        prepared: prepare(failing(new ReconnectRequired(mail)), undefined, 'refused'),
        permission: 'reading',
      },
      { prepared: prepare(failing(new Error('cut')), undefined, 'writes'), permission: 'approved' },
      { prepared: prepare(failing(new Error('cut')), undefined, 'reads'), permission: 'reading' },
      { prepared: prepare(aTool(), undefined, 'late'), permission: 'reading' },
      {
        prepared: { ...prepare(aTool(), undefined, 'wrong'), problem: sayTool('call_invalid.not_json') },
        permission: 'reading',
      },
    ])
    await expect(running).rejects.toThrow('stopped')
    expect(cancel.mock.calls).toEqual([[task]])
    expect(recorded).toEqual({
      writes: [false, 'approved'],
      reads: [false, 'reading'],
      late: [true, 'reading'],
      task: [false, 'approved'],
      asks: [false, 'always'],
    })
    const texts = Object.fromEntries(
      listEvents(context.events).map((event) => [
        'toolCallId' in event ? event.toolCallId : '',
        'errorText' in event ? event.errorText : event.type,
      ]),
    )
    expect(texts).toMatchObject({
      task: 'Stopped before it was finished. It may have been done.',
      asks: 'Stopped before it was finished. It may have been done.',
      writes: 'Stopped before it answered. It may have been done.',
      reads: 'Stopped before it answered.',
      late: 'tool-output-available',
      wrong: 'The arguments are not a JSON object.',
    })
  })
})

describe('the calls of a round', () => {
  const send = aTool({ name: 'send', writes: true, run: async () => 'sent' })
  const call = (id: string, name = 'find', args: unknown = { id }) => ({
    id,
    name,
    arguments: JSON.stringify(args),
  })
  const start = async (calls: ReturnType<typeof call>[], changes: Partial<ActiveReply> = {}) => {
    const permissions: string[] = []
    const context = buildCallContext({
      tools: [aTool(), send],
      ledger: { record: ({ call: { id } }, _outcome, permission) => permissions.push(`${id} ${permission}`) },
      ...changes,
    })
    const pending = await startCalls(context, calls)
    return { context, pending, permissions, events: listEvents(context.events) }
  }

  it('are announced before any of them runs; one that is always allowed looks like one that was approved', async () => {
    const { events, permissions, pending } = await start([call('1'), call('2', 'send')], {
      isAllowed: (tool, input) => tool === send && input?.['id'] === '2',
    })
    expect(events.map((event) => ({ ...event, providerMetadata: undefined }))).toMatchObject([
      { type: 'tool-input-available', toolCallId: '1' },
      { type: 'tool-input-available', toolCallId: '2' },
      { type: 'tool-approval-request', approvalId: '2', toolCallId: '2', isAutomatic: true },
      { type: 'tool-approval-response', approvalId: '2', approved: true },
      { type: 'tool-output-available', toolCallId: '1', output: 'found' },
      { type: 'tool-output-available', toolCallId: '2', output: 'sent' },
    ])
    expect(permissions).toEqual(['1 reading', '2 always'])
    expect(pending).toEqual([])
  })

  it('wait for approval if they write, while the others run', async () => {
    const { events, pending } = await start([call('1', 'send'), call('2')])
    expect(pending).toMatchObject([{ callId: '1', kind: 'approval' }])
    expect(pending[0]).not.toHaveProperty('untrusted')
    expect(events.slice(2)).toEqual([
      { type: 'tool-output-available', toolCallId: '2', output: 'found' },
      { type: 'tool-approval-request', approvalId: '1', toolCallId: '1' },
    ])
  })

  it('say what others wrote because of which they need approval', async () => {
    const untrusted = [{ kind: 'file' as const, names: ['a.pdf'] }]
    const listUntrusted = vi.fn<NonNullable<ActiveReply['listUntrusted']>>(() => untrusted)
    expect((await start([call('1', 'send')], { listUntrusted })).pending).toMatchObject([{ untrusted }])
    expect(listUntrusted.mock.calls).toEqual([[send]])
    const none = await start([call('1', 'send')], { listUntrusted: () => [] })
    expect(none.pending[0]).not.toHaveProperty('untrusted')
  })

  it('ask for the connection first: a card for it shows no material of others', async () => {
    const broken = { ...send, reconnectReason: { kind: 'moved' as const, host: 'a.example' } }
    const { pending, events } = await start([call('1', 'send')], {
      tools: [broken],
      listUntrusted: () => [{ kind: 'web', names: [] }],
    })
    expect(pending).toMatchObject([{ kind: 'reconnect', reconnect: broken.reconnectReason }])
    expect(pending[0]).not.toHaveProperty('untrusted')
    expect(events.map(({ type }) => type)).toEqual(['tool-input-available'])
  })

  it.each([true, false])(
    'with wrong arguments, or of an unknown tool, need no approval (always allowed: %s)',
    async (isAllowed) => {
      const strict = { ...send, parameters: zodParameters(z.object({ to: z.string() })) }
      const { pending, events } = await start([call('1', 'send', { to: [] }), call('2', 'nothing')], {
        tools: [strict],
        isAllowed: () => isAllowed,
      })
      expect(pending).toEqual([])
      expect(events.map(({ type }) => type)).toEqual([
        'tool-input-available',
        'tool-input-available',
        'tool-output-error',
        'tool-output-error',
      ])
    },
  )

  it('are sixteen at most; the model may make the others later', async () => {
    const calls = Array.from({ length: 18 }, (_, index) => call(String(index)))
    const { events, permissions } = await start(calls)
    expect(permissions).toHaveLength(16)
    const errors = events.filter((event) => event.type === 'tool-output-error')
    const errorText =
      'Too many calls in one step. Only the first 16 were made. Call the others in your next step.'
    expect(errors).toMatchObject([
      { type: 'tool-output-error', toolCallId: '16', errorText },
      { type: 'tool-output-error', toolCallId: '17', errorText },
    ])
  })

  it('are made three times at most, of one tool with the same arguments', async () => {
    const { context } = await start([])
    const listErrors = async (...calls: ReturnType<typeof call>[]) => {
      const before = listEvents(context.events).length
      await startCalls(context, calls)
      return listEvents(context.events)
        .slice(before)
        .flatMap((event) => (event.type === 'tool-output-error' ? [event.errorText] : []))
    }
    const same = (id: string) => call(id, 'find', { q: 1 })
    expect(await listErrors(same('1'), same('2'))).toEqual([])
    expect(await listErrors(same('3'))).toEqual([])
    expect(await listErrors(call('4', 'find', { q: 2 }), call('5', 'send', { q: 1 }))).toEqual([])
    expect(await listErrors(same('6'))).toEqual([
      'You have made this very call 3 times. Answer with what you have.',
    ])
    expect(await listErrors(same('7'))).toEqual([
      'You have made this very call 4 times. Answer with what you have.',
    ])
  })
})

it('the model is offered the tool that reads on from the first request on', () => {
  const list = (offered: Tool[]) =>
    listOffered(buildCallContext({ tools: [aTool()], offered })).map(({ name }) => name)
  expect(list([aTool({ name: 'search' })])).toEqual(['read_result', 'search'])
  expect(list([])).toEqual([])
})
