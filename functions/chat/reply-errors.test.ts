import { afterEach, describe, expect, it, vi } from 'vitest'
import { replyNotices } from '#shared/chat-texts.ts'
import { newConversationIds, openSharedStores, toTranscript } from '../../test/support/conversations.ts'
import { buildRunInput, buildWriteDeps } from '../../test/support/reply-input.ts'
import {
  sendingTool,
  failingModel,
  pausingModel,
  replyingModel,
  turnRunner,
  listTypes,
} from '../../test/support/turns.ts'
import { wait } from '../platform/clock.ts'
import type { Logger, LogFields } from '../platform/telemetry/logger.ts'
import { tickMs } from '../conversations/store/liveness.ts'
import { RunInProgress } from '../conversations/store/errors.ts'
import type { Run } from '../conversations/store/run.ts'
import { deleteConversation } from '../conversations/delete-conversation.ts'
import { readConversation } from '../conversations/read-conversation.ts'
import type { Model } from '../models/model.ts'
import type { Reply } from './reply.ts'
import { runReply, runStatelessReply } from './run-reply.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { stopRun } from '../conversations/turns/stop-run.ts'

vi.mock(import('../platform/clock.ts'), { spy: true })

process.env['LOG_LEVEL'] = 'silent'
const stores = await openSharedStores()
const { startUnpublishedTurn, startRun, write, decide } = turnRunner(stores)
afterEach(() => {
  vi.useRealTimers()
})

/** A logger that keeps its lines. */
function recordingLogger() {
  const lines: { level: string; message: string; fields: LogFields }[] = []
  const line =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, fields })
  const log: Logger = {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    with: () => log,
  }
  return { log, lines }
}

function buildInput(model: Model, changes: Partial<Reply> = {}): Reply {
  return buildRunInput(model, { log: recordingLogger().log, ...changes })
}
/** How often writers have waited before their next check. */
const countTicks = () => vi.mocked(wait).mock.calls.filter(([ms]) => ms === tickMs).length

/** Like `vi.waitUntil`, which would advance the clock of the test. */
async function waitUntil(isMet: () => boolean): Promise<void> {
  while (!isMet()) await new Promise((done) => setTimeout(done, 20))
}
const loadMessages = ({ sub, sessionId }: Run) => stores.messages.loadNewest(sub, sessionId)

describe('the log', () => {
  it('has how a reply ended, its duration and its tokens', async () => {
    const { log, lines } = recordingLogger()
    const run = await startRun(newConversationIds())
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const slowModel: Model = {
      async complete(call) {
        vi.setSystemTime(Date.now() + 1_500)
        return { ...(await replyingModel('Hi!').complete(call)), inputTokens: 12, outputTokens: 3 }
      },
    }
    await runReply({ ...buildWriteDeps(), stores }, run, buildInput(slowModel, { log }))
    expect(lines).toEqual([
      {
        level: 'info',
        message: 'reply ended',
        fields: { runStatus: 'done', durationMs: 1_500, inputTokens: 12, outputTokens: 3 },
      },
    ])
  })

  it('warns of a reply that failed, with the cause', async () => {
    const { log, lines } = recordingLogger()
    await runReply(
      { ...buildWriteDeps(), stores },
      await startRun(newConversationIds()),
      buildInput(failingModel(), { log }),
    )
    expect(lines).toMatchObject([
      {
        level: 'warn',
        message: 'reply ended',
        fields: { runStatus: 'failed', error: { code: 'model_busy' } },
      },
    ])
  })

  it('names the request in the error of a reply, and in its stored run, until the message is sent again', async () => {
    const ids = newConversationIds()
    const run = await startRun(ids, 'm1', 'Hello', { requestId: 'r' })
    const { reply, ended } = write(run, failingModel())
    expect(await ended).toMatchObject({ success: false, requestId: 'r' })
    expect(reply.readAfter(0).map((part) => 'event' in part && part.event)).toContainEqual(
      expect.objectContaining({ type: 'error', code: 'model_busy', requestId: 'r' }),
    )
    const failed = (await readConversation(stores, ids)).run
    expect(failed).toMatchObject({ code: 'model_busy', request_id: 'r' })
    expect(Date.parse(failed?.failed_at ?? '')).toBeLessThanOrEqual(Date.now())
    await write(await startRun(ids, 'm1', 'Hello'), replyingModel('Hi!')).ended
    expect(Object.keys((await readConversation(stores, ids)).run ?? {})).not.toContain('request_id')
    expect(await stores.runs.find(ids.sub, ids.sessionId)).not.toMatchObject({
      failedAtMs: expect.anything() as unknown,
    })
  })

  it('warns about each notice of a reply, once', async () => {
    const { log, lines } = recordingLogger()
    const omittingModel: Model = {
      complete: (call) => {
        call.onOmit('tools')
        call.onOmit('tools')
        return replyingModel('Hi!').complete(call)
      },
    }
    const result = await runStatelessReply(buildWriteDeps(), buildInput(omittingModel, { log }))
    expect(result.notices).toMatchObject([{ code: 'tools_unavailable' }])
    expect(lines.slice(1)).toEqual([
      {
        level: 'warn',
        message: 'a reply has a notice',
        fields: { code: 'tools_unavailable' },
      },
    ])
  })
})

describe('a reply that cannot be stored', () => {
  it('is returned with its text and an error, and its run stays for the next reader', async () => {
    const { log, lines } = recordingLogger()
    const turn = await startUnpublishedTurn(newConversationIds())
    if (turn.kind !== 'started') throw new Error(turn.kind)
    const { run } = turn
    const input = buildInput(replyingModel('Hi!'), { log })
    const publish = vi.spyOn(stores.conversations, 'upsert')
    publish.mockRejectedValue(new RunInProgress('the row could not be written'))
    const result = await runReply({ ...buildWriteDeps(), stores }, run, input, turn)
    publish.mockRestore()
    expect(result).toMatchObject({
      success: false,
      content: 'Hi!',
      error: 'Service error: The reply could not be saved. Please try again in a moment.',
      cause: { message: 'the row could not be written' },
    })
    expect(listTypes(input.events).slice(-2)).toEqual(['error', 'finish'])
    expect(input.events.isClosed).toBe(true)
    expect(lines).toMatchObject([
      { level: 'error', message: 'a reply could not be stored', fields: { runId: run.runId } },
      { level: 'warn', message: 'reply ended', fields: { runStatus: 'failed' } },
    ])
    expect(await stores.runs.find(run.sub, run.sessionId)).toMatchObject({ status: 'running' })
  })

  it('is stored after the writes of its conversation’s row failed at first', async () => {
    const conversation = newConversationIds()
    const publish = vi.spyOn(stores.conversations, 'upsert')
    for (let tries = 0; tries < 2; tries += 1) publish.mockRejectedValueOnce(new Error('throttled'))
    const turn = await startUnpublishedTurn(conversation)
    if (turn.kind !== 'started') throw new Error(turn.kind)
    expect(
      await runReply({ ...buildWriteDeps(), stores }, turn.run, buildInput(replyingModel('Hi!')), turn),
    ).toMatchObject({
      success: true,
    })
    expect(publish).toHaveBeenCalledTimes(3)
    publish.mockRestore()
    const { session, messages } = await readConversation(stores, conversation)
    expect(toTranscript(messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Hi!'],
    ])
    expect(session.message_count).toBe(2)
  })

  it('at once keeps its heartbeat until it is stored, so that its run is not lost', async () => {
    const run = await startRun(newConversationIds())
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    const { promise: tableRecovered, resolve: recover } = Promise.withResolvers<void>()
    const addReferences = vi
      .spyOn(stores.files, 'addReferences')
      .mockImplementation(() => tableRecovered.then(() => true))
    const append = vi.spyOn(stores.logs, 'append')
    const heartbeat = vi.spyOn(stores.runs, 'heartbeat')
    const ended = runReply({ ...buildWriteDeps(), stores }, run, buildInput(replyingModel('Hi!')))
    await waitUntil(() => addReferences.mock.calls.length === 1)
    for (const [index, afterMs] of [4_000, 8_000].entries()) {
      vi.setSystemTime(now + afterMs)
      await waitUntil(() => heartbeat.mock.calls.length === index + 1)
      await heartbeat.mock.results[index]?.value
    }
    expect(append).not.toHaveBeenCalled()
    recover()
    expect(await ended).toMatchObject({ success: true })
    addReferences.mockRestore()
  })

  it('because its conversation was deleted leaves nothing', async () => {
    const conversation = newConversationIds()
    const run = await startRun(conversation)
    const { model, modelCalled, resume } = pausingModel('Once')
    const input = buildInput(model)
    const ended = runReply({ ...buildWriteDeps(), stores }, run, input)
    await modelCalled
    await deleteConversation(stores, conversation)
    resume()
    expect(await ended).toMatchObject({
      success: false,
      content: expect.stringContaining('Once') as string,
      error: expect.stringContaining("I'm having trouble connecting") as string,
    })
    expect((await loadMessages(run)).messages).toEqual([])
    expect(listTypes(input.events)).not.toContain('data-session')
  })

  it.each(['is noticed by its writer', 'ends before that is noticed'])(
    'because its conversation was deleted before its message was counted leaves nothing, if it %s',
    async (how) => {
      const conversation = newConversationIds()
      await write(await startRun(conversation), replyingModel('Hi!')).ended
      const turn = await startUnpublishedTurn(conversation, 'm2', 'And more?')
      if (turn.kind !== 'started') throw new Error(`not started but ${turn.kind}`)
      expect(turn.canPublishLater).toBe(true)
      await deleteConversation(stores, conversation)
      // the deletion had listed the messages before this one was stored
      await stores.messages.put(conversation.sub, turn.message, turn.run.startedAtMs)
      const { model, modelCalled, resume } = pausingModel('Once')
      const ended = runReply({ ...buildWriteDeps(), stores }, turn.run, buildInput(model), turn)
      await modelCalled
      if (how.startsWith('ends')) resume()
      expect(await ended).toMatchObject({ success: false })
      expect((await loadMessages(turn.run)).messages).toEqual([])
      expect(await stores.runs.find(conversation.sub, conversation.sessionId)).toBeUndefined()
    },
  )

  it('because of a newer run does not change what that has written', async () => {
    const conversation = newConversationIds()
    const run = await startRun(conversation)
    const { model, modelCalled, resume } = pausingModel('Old')
    const input = buildInput(model)
    const ended = runReply({ ...buildWriteDeps(), stores }, run, input)
    await modelCalled
    await stores.runs.end(run, 'failed', { error: 'no' })
    await write(await startRun(conversation), replyingModel('New.')).ended
    resume()
    expect(await ended).toMatchObject({ success: false })
    expect(toTranscript((await loadMessages(run)).messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'New.'],
    ])
  })
})

describe('a reply that is being written', () => {
  it('updates its heartbeat, and writes a checkpoint of new text about every two seconds', async () => {
    const run = await startRun(newConversationIds())
    const { model, modelCalled, resume } = pausingModel('Once upon')
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    const append = vi.spyOn(stores.logs, 'append')
    const heartbeat = vi.spyOn(stores.runs, 'heartbeat')
    const find = vi.spyOn(stores.runs, 'find')
    const ticks = countTicks()
    const ended = runReply({ ...buildWriteDeps(), stores }, run, buildInput(model))
    await modelCalled
    // the writer has read the clock, which stands still
    await waitUntil(() => countTicks() >= ticks + 2)
    expect([append.mock.calls.length, heartbeat.mock.calls.length, find.mock.calls.length]).toEqual([0, 0, 0])
    vi.setSystemTime(now + 1_000)
    await waitUntil(() => find.mock.calls.length === 1)
    expect(append).not.toHaveBeenCalled()
    vi.setSystemTime(now + 2_000)
    await waitUntil(() => append.mock.calls.length === 1)
    await append.mock.results[0]?.value
    expect(heartbeat).not.toHaveBeenCalled()
    vi.setSystemTime(now + 4_000)
    await waitUntil(() => heartbeat.mock.calls.length === 1)
    await heartbeat.mock.results[0]?.value
    expect(await stores.runs.find(run.sub, run.sessionId)).toMatchObject({ heartbeatAtMs: now + 4_000 })
    expect(
      (await stores.logs.read(run, 0)).map((part) => ('text' in part ? part.text : part.event.type)),
    ).toEqual(['start-step', 'text-start', 'Once upon'])
    resume()
    await ended
    // the stored reply replaces them
    expect(await stores.logs.read(run, 0)).toEqual([])
    // no new text, so no more was written
    expect(append).toHaveBeenCalledTimes(1)
  })

  it('writes checkpoints twice a second while another page follows it', async () => {
    const run = await startRun(newConversationIds())
    const { model, modelCalled, resume } = pausingModel('Once upon')
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    const append = vi.spyOn(stores.logs, 'append')
    const ended = runReply({ ...buildWriteDeps(), stores }, run, buildInput(model))
    await modelCalled
    await stores.runs.setWatchedUntil(run, now + 60_000)
    vi.setSystemTime(now + 1_000)
    await waitUntil(() => append.mock.calls.length === 1)
    expect((await stores.runs.find(run.sub, run.sessionId))?.watchedUntilMs).toBe(now + 60_000)
    resume()
    await ended
  })

  it('continues when the table fails for a moment, and logs the failure', async () => {
    const { log, lines } = recordingLogger()
    const run = await startRun(newConversationIds())
    const { model, modelCalled, resume } = pausingModel('Once')
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    vi.spyOn(stores.runs, 'find').mockRejectedValueOnce(new Error('table down'))
    const ended = runReply({ ...buildWriteDeps(), stores }, run, buildInput(model, { log }))
    await modelCalled
    vi.setSystemTime(now + 1_000)
    await waitUntil(() => lines.length > 0)
    expect(lines).toMatchObject([
      { level: 'warn', message: 'run heartbeat or checkpoint failed', fields: { runId: run.runId } },
    ])
    resume()
    expect(await ended).toMatchObject({ success: true })
  })

  it.each<[string, (run: Run) => Promise<unknown>]>([
    ['its run is gone', (run) => stores.runs.remove(run.sub, run.sessionId)],
    ['its run was ended by somebody else', (run) => stores.runs.end(run, 'failed', { error: 'no' })],
  ])('ends at the next check when %s', async (_, action) => {
    const run = await startRun(newConversationIds())
    const { model, modelCalled } = pausingModel('Once')
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    const ended = runReply({ ...buildWriteDeps(), stores }, run, buildInput(model))
    await modelCalled
    await action(run)
    vi.setSystemTime(now + 4_000)
    expect(await ended).toMatchObject({ success: false, content: 'Once' })
    expect((await loadMessages(run)).messages).toHaveLength(1)
  })

  it('stops once on request, and stores its text', async () => {
    const run = await startRun(newConversationIds())
    const { model, modelCalled } = pausingModel('Once')
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    const input = buildInput(model)
    const ended = runReply({ ...buildWriteDeps(), stores }, run, input)
    await modelCalled
    await stopRun(stores, run)
    vi.setSystemTime(now + 1_000)
    expect(await ended).toEqual({ success: true, content: 'Once', toolCalls: [], error: null })
    expect(listTypes(input.events).slice(-3)).toEqual(['data-session', 'abort', 'finish'])
  })
})

describe('the end of a reply', () => {
  /** A message with a file, for users who store none. @returns what is called when it is deleted */
  function withFile() {
    const deleted = vi.fn<() => Promise<void>>(async () => undefined)
    const deps = buildWriteDeps({
      settings: { find: async () => ({ keep_conversations: true, store_uploads: false, theme: null }) },
      fileDeps: { files: { listAll: () => deleted().then(() => []) } } as never,
    })
    const attachments = [{ id: 'f', name: 'f', type: 'text/plain', size: 1 }]
    return { deps, history: [{ role: 'user' as const, content: 'Hello', attachments }], deleted }
  }

  it('files of a stateless reply are deleted after it, but not after a failure', async () => {
    const { deps, history, deleted } = withFile()
    await runStatelessReply(deps, buildInput(failingModel(), { history }))
    expect(deleted).not.toHaveBeenCalled()
    await runStatelessReply(deps, buildInput(replyingModel('Hi!'), { history }))
    expect(deleted).toHaveBeenCalledTimes(1)
  })

  it('the ledger is complete before a reply ends', async () => {
    const order: string[] = []
    const ledger = {
      record: () => undefined,
      async written() {
        await new Promise(setImmediate)
        order.push('ledger')
      },
    }
    const { deps, history, deleted } = withFile()
    deleted.mockImplementation(async () => void order.push('files of a stateless reply'))
    const deleteTurnFiles = vi
      .spyOn(stores.files, 'deleteTurnFiles')
      .mockImplementation(async () => void order.push('files deleted'))
    await runReply(
      { ...deps, stores },
      await startRun(newConversationIds()),
      buildInput(replyingModel('Hi!'), { ledger }),
    )
    deleteTurnFiles.mockRestore()
    await runStatelessReply(deps, buildInput(replyingModel('Hi!'), { ledger, history }))
    expect(order).toEqual(['ledger', 'files deleted', 'ledger', 'files of a stateless reply'])
  })

  it('a reply with a stop request does not wait for approval', async () => {
    const { tool, callingModel } = sendingTool()
    const run = await startRun(newConversationIds())
    // the writer does not check again before the model calls the tool
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const stoppingModel: Model = {
      complete: async (call) => {
        call.onText('Let me ask.')
        await stopRun(stores, run)
        return callingModel.complete(call)
      },
    }
    const { reply, ended } = write(run, stoppingModel, [tool])
    expect(await ended).toMatchObject({ success: true, content: 'Let me ask.' })
    expect(listTypes(reply).slice(-3)).toEqual(['data-session', 'abort', 'finish'])
    const conversation = await readConversation(stores, run)
    expect(conversation.run).toMatchObject({ status: 'stopped' })
    expect(toTranscript(conversation.messages).slice(1)).toEqual([['assistant', 'Let me ask.']])
    expect(await queryAll(stores.table, { partition: `U#${run.sub}`, prefix: 'PARK#' })).toEqual([])
  })

  it('a waiting reply stores everything that another invocation needs', async () => {
    const { tool, callingModel } = sendingTool()
    const speakingModel: Model = {
      complete: (call) => {
        call.onText('Let me ask.')
        call.onOmit('images')
        return callingModel.complete(call)
      },
    }
    const run = await startRun(newConversationIds())
    const { reply, ended } = write(run, speakingModel, [tool])
    expect(await ended).toMatchObject({ success: true, content: 'Let me ask.' })
    expect(listTypes(reply).slice(-5)).toEqual([
      'tool-approval-request',
      'message-metadata',
      'finish-step',
      'data-run',
      'finish',
    ])
    const waitingRun = await stores.runs.find(run.sub, run.sessionId)
    expect(waitingRun).toMatchObject({
      status: 'waiting',
      pending: [{ callId: 'c1' }],
      transcript: {
        reply: { text: 'Let me ask.', notices: [replyNotices.images] },
        turn: expect.stringContaining('"tool_calls":[{"id":"c1"') as string,
        position: reply.position,
      },
    })
    // only a temporary chat stores its messages with the run
    expect(waitingRun?.transcript).not.toHaveProperty('said')
    // the text is in the checkpoints, for other readers
    expect((await stores.logs.read(run, 0)).slice(-3)).toMatchObject([
      { event: { type: 'tool-approval-request' } },
      { event: { type: 'message-metadata' } },
      { event: { type: 'finish-step' } },
    ])
    await decide(run, replyingModel('Sent.'), tool)
    expect((await readConversation(stores, run)).messages.at(-1)).toMatchObject({
      content: 'Let me ask.\n\nSent.',
      notices: [replyNotices.images],
    })
    expect(await stores.logs.read(run, 0)).toEqual([])
  })
})
