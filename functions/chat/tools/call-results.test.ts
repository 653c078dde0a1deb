import { describe, expect, it, vi } from 'vitest'
import { sayTool } from '#shared/sentences/tools.ts'
import type { CallHistory, PendingCall } from '../../conversations/store/run.ts'
import { aReadDocument } from '../../../test/support/read-documents.ts'
import { buildCallContext, buildTool, emptyProgress, listEvents } from '../../../test/support/reply-input.ts'
import type { RichContent, Tool } from '../../tools/calls/tool.ts'
import type { ModelMessage } from '../../models/model.ts'
import { settleCall, toCallEvent, toStoredElicited } from './call-results.ts'
import { toFailure, type PreparedCall, type ToolOutcome } from './run-tool.ts'
import type { ActiveReply } from '../reply.ts'

const refusal = toFailure([sayTool('tool_failed', { message: 'No.' }), sayTool('may_be_done')])
const refusalEvent = {
  type: 'tool-output-error',
  errorText: 'No. It may have been done: check before you try again.',
  codes: [{ code: 'tool_failed', params: { message: 'No.' } }, { code: 'may_be_done' }],
}
const find = buildTool({ title: 'Find', integration: { mcpId: 'mail', name: 'Mail' } })
const prepare = (id = 'c1', changes: Partial<PreparedCall> = {}): PreparedCall => ({
  call: { id, name: 'find', arguments: '{}' },
  tool: find,
  input: {},
  problem: undefined,
  ...changes,
})
const succeed = (data: unknown, rich?: Partial<RichContent>): ToolOutcome => ({
  success: true,
  data,
  forModel: 'for the model',
  ...(rich && { rich: { files: [], links: [], ...rich } }),
})

it('readers get what a call is made with: its tool, and arguments of 20,000 characters at most', () => {
  expect(toCallEvent(prepare('c1', { input: { q: 'eggs' } }))).toEqual({
    type: 'tool-input-available',
    toolCallId: 'c1',
    toolName: 'find',
    input: { q: 'eggs' },
    providerMetadata: { juno: { kind: 'research', title: 'Find', integration: 'Mail' } },
  })
  // {"q":"…"}
  const fitting = { q: 'x'.repeat(19_992) }
  expect(toCallEvent(prepare('c1', { input: fitting })).input).toEqual(fitting)
  expect(toCallEvent(prepare('c1', { input: { q: 'x'.repeat(19_993) } })).input).toEqual({
    arguments: expect.stringMatching(/\[20001 characters in all\]$/) as string,
  })
})

describe('the outcome of a call', () => {
  const record = async (outcome: ToolOutcome, prepared = prepare()) => {
    const recordCall = vi.fn<ActiveReply['ledger']['record']>()
    const context = buildCallContext({ ledger: { record: recordCall } })
    await settleCall(context, { prepared, outcome, permission: 'approved' })
    return { recordCall, events: listEvents(context.events), messages: context.progress.roundMessages }
  }

  it.each<[string, ToolOutcome, object]>([
    ['a result', succeed({ hits: 2 }), { type: 'tool-output-available', output: { hits: 2 } }],
    ['an error', refusal, refusalEvent],
    ['a denial, without a text', toFailure(sayTool('denied')), { type: 'tool-output-denied' }],
  ])('goes to the readers as %s, to the model and to the ledger', async (_, outcome, event) => {
    const prepared = prepare()
    const { events, messages, recordCall } = await record(outcome, prepared)
    expect(events).toEqual([{ toolCallId: 'c1', ...event }])
    expect(messages).toStrictEqual([{ role: 'tool', tool_call_id: 'c1', content: outcome.forModel }])
    expect(recordCall.mock.calls).toEqual([[prepared, outcome, 'approved']])
  })

  it('of a call that could not be made is not in the ledger', async () => {
    const { recordCall } = await record(refusal, prepare('c1', { problem: sayTool('call_failed') }))
    expect(recordCall).not.toHaveBeenCalled()
  })

  // 90,000 bytes for all calls of a reply, three for a character, shared by the parts of the call
  it.each<[string, CallHistory | undefined, number]>([
    ['a call', undefined, 14_999],
    ['a call that its server asked nothing for', {}, 14_999],
    [
      'a call that its server was sent values for',
      { elicited: [{ message: 'Size?', action: 'accept' }] },
      9_999,
    ],
  ])('of %s is stored with as many characters as fit', async (_, history, maxCharacters) => {
    const readOutput = async (length: number) => {
      const { events } = await record(succeed('y'.repeat(length)), prepare('c1', { history }))
      return events.at(-1)
    }
    expect(await readOutput(maxCharacters)).toMatchObject({ output: 'y'.repeat(maxCharacters) })
    expect(await readOutput(maxCharacters + 1)).toMatchObject({
      output: `${'y'.repeat(maxCharacters)}…\n[${maxCharacters + 1} characters in all]`,
    })
  })

  it('tells readers what its server asked and was sent', async () => {
    const elicited = [{ message: 'Size?', action: 'accept' as const, content: { size: 2 } }]
    expect((await record(succeed('x'), prepare('c1', { history: { elicited } }))).events).toEqual([
      { type: 'data-result-extras', data: { toolCallId: 'c1', elicited } },
      { type: 'tool-output-available', toolCallId: 'c1', output: 'x' },
    ])
  })
})

describe('the results of a round', () => {
  const round = (...ids: string[]): ModelMessage => ({
    role: 'assistant',
    content: null,
    tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'find', arguments: '{}' } })),
  })
  const result = (id: string): ModelMessage => ({ role: 'tool', tool_call_id: id, content: 'for the model' })

  const recordAll = async (roundMessages: ModelMessage[], ids: string[]) => {
    const context = buildCallContext({ progress: { ...emptyProgress(), roundMessages } })
    for (const id of ids)
      await settleCall(context, { prepared: prepare(id), outcome: succeed('x'), permission: 'reading' })
    return context.progress.roundMessages
  }

  it.each([[['a', 'b', 'c']], [['c', 'b', 'a']], [['b', 'c', 'a']]])(
    'are in the order of its calls although these end as %j',
    async (ids) => {
      // an earlier round has calls of the same ids, as some servers count them anew
      const earlier = [round('c', 'x'), result('c'), result('x')]
      expect(await recordAll([...earlier, round('a', 'b', 'c')], ids)).toEqual([
        ...earlier,
        round('a', 'b', 'c'),
        result('a'),
        result('b'),
        result('c'),
      ])
    },
  )

  it('are in the order of their ends if the model has named no calls', async () => {
    const answer: ModelMessage = { role: 'assistant', content: 'Half' }
    expect(await recordAll([answer], ['b', 'a'])).toEqual([answer, result('b'), result('a')])
    expect(await recordAll([], ['b', 'a'])).toEqual([result('b'), result('a')])
  })
})

describe('a request to the user', () => {
  const pend = (kind: PendingCall['kind']) => ({ callId: 'c1', kind }) as PendingCall

  it.each([undefined, true])('asks the user when a run can wait (%s)', async (canAskUser) => {
    const context = buildCallContext(canAskUser === undefined ? {} : { canAskUser })
    const request = pend('approval')
    expect(await settleCall(context, { prepared: prepare(), request })).toEqual([request])
    expect(listEvents(context.events)).toEqual([])
  })

  it.each([
    ['approval', 'Not done: the user has to allow it, in a chat of the page.'],
    ['reconnect', 'Not done: the user has to connect it again, in a chat of the page.'],
    ['elicitation', 'Not finished: the user has to answer what its server asks, in a chat of the page.'],
  ] as const)(
    'tells the model what only the user could do when no run can wait: %s',
    async (kind, errorText) => {
      const recordCall = vi.fn<ActiveReply['ledger']['record']>()
      const context = buildCallContext({ canAskUser: false, ledger: { record: recordCall } })
      expect(await settleCall(context, { prepared: prepare(), request: pend(kind) })).toEqual([])
      expect(listEvents(context.events)).toMatchObject([
        { type: 'tool-output-error', toolCallId: 'c1', errorText },
      ])
      expect(recordCall.mock.calls.map(([, , permission]) => permission)).toEqual(['denied'])
    },
  )
})

it('the sent values are stored with the call, up to their limit', () => {
  const store = (elicited: CallHistory['elicited'], maxCharacters: number) =>
    toStoredElicited({ history: elicited && { elicited } } as unknown as PreparedCall, maxCharacters)
  expect(store(undefined, 100)).toEqual({})
  const shortValues = { message: 'Size?', action: 'accept' as const, content: { size: 2 } }
  const cancelledForm = { message: 'Name?', action: 'cancel' as const }
  expect(store([shortValues, cancelledForm], 100)).toStrictEqual({ elicited: [shortValues, cancelledForm] })
  const longValues = { ...shortValues, content: { text: 'x'.repeat(90) } }
  // the limit is shared by all of them
  expect(store([longValues], 110)).toEqual({ elicited: [longValues] })
  expect(store([longValues, shortValues], 110)).toMatchObject({
    elicited: [
      { content: { arguments: expect.stringContaining('characters in all') as string } },
      shortValues,
    ],
  })
  const fittingValues = { ...shortValues, content: { text: 'x'.repeat(3_989) } }
  expect(store([fittingValues], 90_000)).toEqual({ elicited: [fittingValues] })
  const tooLongValues = { ...shortValues, content: { text: 'x'.repeat(3_990) } }
  expect(store([tooLongValues], 90_000)).not.toEqual({ elicited: [tooLongValues] })
})

describe('a result with more than its data', () => {
  const link = { title: 'Report', url: 'https://example.org/report' }
  const file = { name: 'a.png', declaredType: 'image/png', bytes: Buffer.from('a') }

  async function record(
    outcome: ToolOutcome,
    {
      saved = { notes: [], images: [] },
      tool = find,
      history,
    }: {
      saved?: Awaited<ReturnType<ActiveReply['showFiles']>>
      tool?: Tool | undefined
      history?: CallHistory
    } = {},
  ) {
    const showFiles = vi.fn<ActiveReply['showFiles']>(async () => saved)
    const recordCall = vi.fn<ActiveReply['ledger']['record']>()
    const context = buildCallContext({ showFiles, ledger: { record: recordCall } })
    await settleCall(context, { prepared: prepare('c1', { tool, history }), outcome, permission: 'reading' })
    const [extras, ...others] = listEvents(context.events)
    return {
      showFiles,
      extras: extras?.type === 'data-result-extras' ? extras.data : undefined,
      output: (others[0] ?? extras) as unknown,
      message: context.progress.roundMessages.at(-1),
      permissions: recordCall.mock.calls.map(([, , permission]) => permission),
    }
  }

  it.each([
    ['a failure', refusal, refusalEvent],
    ['data alone', succeed({ a: 1 }), { type: 'tool-output-available', output: { a: 1 } }],
    ['nothing else', succeed({ a: 1 }, {}), { type: 'tool-output-available', output: { a: 1 } }],
  ])('is %s: nothing is added', async (_, outcome, output) => {
    const recorded = await record(outcome)
    expect(recorded).toMatchObject({ extras: undefined, output, permissions: ['reading'] })
    expect(recorded.message).toMatchObject({ content: outcome.forModel })
    expect(recorded.showFiles).not.toHaveBeenCalled()
  })

  it('has its links, and says that its data is structured', async () => {
    expect((await record(succeed('x', { links: [link] }))).extras).toStrictEqual({
      toolCallId: 'c1',
      links: [link],
    })
    expect((await record(succeed('x', { isStructured: true }))).extras).toStrictEqual({
      toolCallId: 'c1',
      structured: true,
    })
    expect((await record(succeed('x', { isStructured: false }))).extras).toBeUndefined()
  })

  it('has its app, if its tool belongs to a connection', async () => {
    const appTool = { ...find, appUri: 'ui://a' }
    expect((await record(succeed('x', {}), { tool: appTool })).extras).toStrictEqual({
      toolCallId: 'c1',
      app: { mcp_id: 'mail' },
    })
    const { integration: _, ...ownTool } = appTool
    expect((await record(succeed('x', {}), { tool: ownTool })).extras).toBeUndefined()
  })

  it('shows its files; the model is told that the user sees them', async () => {
    const images = [{ url: 'data:image/png;base64,AA==' }]
    const { showFiles, extras, message } = await record(succeed('x', { files: [file] }), {
      saved: { notes: [], images, documents: [aReadDocument('f1', '')] },
    })
    expect(showFiles.mock.calls).toEqual([[[file], find.integration]])
    expect(extras).toBeUndefined()
    expect(message).toEqual({
      role: 'tool',
      tool_call_id: 'c1',
      content:
        'for the model\n[The user sees the files of this result in the chat.]\n[The file f1.pdf, application/pdf, has the id f1: read_attachment and search_files read it, query_table has its tables.]',
      images,
    })
  })

  it('says which files are not shown', async () => {
    const said = [
      sayTool('file_left_out.empty', { name: 'a.png' }),
      sayTool('files_left_out', { count: 2, max: 10 }),
    ]
    const notes = said.map(({ text }) => text)
    const { extras, message } = await record(succeed('x', { files: [file] }), {
      saved: { notes: said, images: [] },
    })
    expect(extras).toStrictEqual({
      toolCallId: 'c1',
      notes,
      noteCodes: [
        { code: 'file_left_out', params: { reason: 'empty', name: 'a.png' } },
        { code: 'files_left_out', params: { count: 2, max: 10 } },
      ],
    })
    expect(message).toStrictEqual({
      role: 'tool',
      tool_call_id: 'c1',
      content: `for the model\n${notes.join('\n')}`,
    })
  })

  it('has no links and notes that are longer than 8,000 characters', async () => {
    const fill = (length: number) => {
      const empty = JSON.stringify({ links: [{ ...link, title: '' }] }).length
      return { ...link, title: 't'.repeat(length - empty) }
    }
    expect((await record(succeed('x', { links: [fill(8_000)] }))).extras).toMatchObject({
      links: [fill(8_000)],
    })
    expect((await record(succeed('x', { links: [fill(8_001)] }))).extras).toBeUndefined()
    // two parts for the values that its server was sent: (90,000 - 2) / 3 / 4
    const history = { elicited: [{ message: 'Size?', action: 'accept' as const }] }
    expect((await record(succeed('x', { links: [fill(7_499)] }), { history })).extras).toHaveProperty('links')
    expect((await record(succeed('x', { links: [fill(7_500)] }), { history })).extras).not.toHaveProperty(
      'links',
    )
  })

  it('DEC-183 is stored as a shorter table if it is structured, and as the start of its text otherwise', async () => {
    const rows = Array.from({ length: 1_000 }, (_, id) => ({ id, name: 'x'.repeat(10) }))
    const { extras, output } = await record(succeed(rows, { isStructured: true }))
    const stored = (output as { output: typeof rows }).output
    expect(stored).toEqual(rows.slice(0, stored.length))
    expect(JSON.stringify(stored).length).toBeGreaterThan(9_900)
    expect(JSON.stringify(stored).length).toBeLessThan(10_000)
    expect(extras).toEqual({ toolCallId: 'c1', structured: true, totalRows: 1_000 })
    const text = await record(succeed(rows, { links: [link] }))
    expect(text.extras).toStrictEqual({ toolCallId: 'c1', links: [link] })
    expect((text.output as { output: unknown }).output).toMatch(/^\[\{"id":0,.*characters in all\]$/s)
  })
})
