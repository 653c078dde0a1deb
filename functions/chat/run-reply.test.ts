import { describe, expect, it, vi } from 'vitest'
import { newConversationIds, openSharedStores } from '../../test/support/conversations.ts'
import {
  buildPrompt,
  buildRunInput,
  buildWriteDeps,
  emptyProgress,
  listEvents,
} from '../../test/support/reply-input.ts'
import {
  failingModel,
  pausingModel,
  replyingModel,
  sendingTool,
  turnRunner,
} from '../../test/support/turns.ts'
import { modelErrors } from '../models/model-errors.ts'
import type { Model } from '../models/model.ts'
import type { SummaryStore } from './conversation-summary.ts'
import type { Reply, ReplyDeps } from './reply.ts'
import { parseTranscript } from './prompt/transcript.ts'
import { runReply, runStatelessReply, finishConversation } from './run-reply.ts'

process.env['LOG_LEVEL'] = 'silent'

describe('a reply without a run', () => {
  async function write(model: Model, changes: Partial<Reply> = {}) {
    const steps: string[] = []
    const attachments = [{ id: 'f', name: 'f', type: 'text/plain', size: 1 }]
    const reply = buildRunInput(model, {
      isSaved: false,
      history: [{ role: 'user', content: 'Hello', attachments }],
      ledger: {
        record: () => undefined,
        async written() {
          await new Promise(setImmediate)
          steps.push('ledger')
        },
      },
      ...changes,
    })
    const listAll = async () => {
      steps.push(reply.events.isClosed ? 'files' : 'files too early')
      return []
    }
    const deps = buildWriteDeps({
      settings: { find: async () => ({ keep_conversations: true, store_uploads: false, theme: null }) },
      fileDeps: { files: { listAll } } as never,
    })
    const result = await runStatelessReply(deps, reply)
    return { result, steps, events: listEvents(reply.events), reply }
  }

  it('deletes its files when it is done, after its last event and when the ledger has its calls', async () => {
    const { result, steps, events } = await write(replyingModel('Hello'))
    const expected = { success: true, content: 'Hello', toolCalls: [], error: null }
    expect(result).toEqual(expected)
    expect(steps).toEqual(['ledger', 'files'])
    expect(events.slice(-2)).toEqual([{ type: 'finish-step' }, { type: 'finish', messageMetadata: expected }])
  })

  it('deletes its files when it is cut: it is over', async () => {
    const paused = pausingModel('Half')
    const { result, steps, events } = await write(paused.model, { remainingMs: () => 0 })
    expect(result).toMatchObject({ success: true, content: 'Half', error: null })
    expect(steps).toEqual(['ledger', 'files'])
    expect(events.map(({ type }) => type)).not.toContain('error')
  })

  it('says that a filter has stopped it, to clients that read the stream', async () => {
    const model: Model = {
      complete: async (call) => ({
        ...(await replyingModel('Sure').complete(call)),
        truncated: true,
        incompleteReason: 'filter',
      }),
    }
    const { result, events } = await write(model)
    expect(result).toMatchObject({ incompleteReason: 'filter', notices: [{ code: 'reply_filtered' }] })
    expect(events.map(({ type }) => type).slice(-2)).toEqual(['data-notice', 'finish'])
  })

  it('keeps its files when it fails, as the message can be sent again', async () => {
    const { result, steps, events } = await write(failingModel('Half'))
    const error = `Service error: ${modelErrors.busy.sentence.text}`
    expect(result).toMatchObject({ success: false, content: 'Half', error, cause: { code: 'model_busy' } })
    expect(steps).toEqual(['ledger'])
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', errorText: error, code: 'model_busy' },
      { type: 'finish', messageMetadata: { error, code: 'model_busy' } },
    ])
    expect(events.at(-1)).not.toHaveProperty('messageMetadata.cause')
  })

  it('cannot wait for the user', async () => {
    const { tool, callingModel, sent } = sendingTool()
    let rounds = 0
    const model: Model = {
      complete: (call) => ((rounds += 1) === 1 ? callingModel : replyingModel('Well.')).complete(call),
    }
    const { result } = await write(model, { prompt: Promise.resolve(buildPrompt({ tools: [tool] })) })
    expect(result).toMatchObject({
      content: 'Well.',
      toolCalls: [{ result: { error: 'Not done: the user has to allow it, in a chat of the page.' } }],
    })
    expect(sent).toEqual([])
  })

  it('remembers where its prompt begins, for the summary of what it leaves out', async () => {
    const { reply } = await write(replyingModel('Hello'), {
      prompt: Promise.resolve(buildPrompt({ firstTurn: 7 })),
    })
    expect(reply.progress.firstTurn).toBe(7)
  })
})

it.each<[what: string, success: boolean, firstTurn: number | undefined, count: number]>([
  ['a reply that leaves messages out', true, 7, 1],
  ['a reply that failed', false, 7, 0],
  ['a reply without a stored conversation', true, undefined, 0],
])('a conversation is summarised after %s: %s', async (_, success, firstTurn, count) => {
  const update = vi.fn<SummaryStore['update']>(() => Promise.reject(new Error('not now')))
  const progress = { ...emptyProgress(), firstTurn }
  const summaryStore = { find: async () => undefined, update }
  const reply = buildRunInput(replyingModel('Hello'), { progress, summaryStore })
  // the next reply tries again
  await finishConversation({ writesTitles: false, models: {} as ReplyDeps['models'] }, reply)({ success })
  expect(update.mock.calls.map(([input]) => input.firstTurn)).toEqual(Array(count).fill(7))
})

describe('a run that waits', async () => {
  const stores = await openSharedStores()
  const { startRun } = turnRunner(stores)

  async function runUntilWaiting(changes: Partial<Reply> = {}, isTemporary = false) {
    const { tool, callingModel } = sendingTool()
    const ids = newConversationIds()
    const run = await startRun(ids, 'm1', 'Hello', { isTemporary })
    const images = [{ url: 'data:,', fileId: 'f1' }, { url: 'data:,' }]
    const roundMessages = [
      { role: 'assistant' as const, content: null },
      { role: 'tool' as const, tool_call_id: '1', content: 'x', images },
      { role: 'tool' as const, tool_call_id: '2', content: 'y', images: images.slice(1) },
      { role: 'tool' as const, tool_call_id: '3', content: 'z' },
    ]
    const reply = buildRunInput(callingModel, {
      isSaved: run.isSaved,
      prompt: Promise.resolve(buildPrompt({ tools: [tool] })),
      progress: { ...emptyProgress(), roundMessages },
      ...changes,
    })
    await runReply({ ...buildWriteDeps(), stores }, run, reply)
    const found = await stores.runs.find(run.sub, run.sessionId)
    return { reply, transcript: found?.transcript, status: found?.status }
  }

  it('is stored with its messages, whose images are stored already', async () => {
    const { reply, transcript, status } = await runUntilWaiting()
    expect(status).toBe('waiting')
    expect(parseTranscript(transcript?.turn ?? '')?.messages.slice(0, 4)).toStrictEqual([
      { role: 'assistant', content: null },
      { role: 'tool', tool_call_id: '1', content: 'x', images: [{ fileId: 'f1' }] },
      { role: 'tool', tool_call_id: '2', content: 'y' },
      { role: 'tool', tool_call_id: '3', content: 'z' },
    ])
    expect(transcript).not.toHaveProperty('said')
    expect(transcript).not.toHaveProperty('earlierUsage')
    // the events of the continued reply follow those that tell that it waits
    expect(transcript?.position).toBe(reply.events.position)
    expect(listEvents(reply.events).slice(-2)).toMatchObject([
      { type: 'data-run', data: { status: 'waiting' } },
      { type: 'finish' },
    ])
  })

  it('has the conversation of a temporary chat, and what was used before it', async () => {
    const earlierUsage = {
      inputTokens: 1,
      cachedInputTokens: 0,
      outputTokens: 2,
      reasoningTokens: 0,
      images: 0,
    }
    const history = [
      { role: 'user' as const, content: 'x'.repeat(9) },
      { role: 'assistant' as const, content: 'Yes?' },
      { role: 'user' as const, content: 'Write' },
    ]
    const contextLimits = { maxCharacters: 9, maxMessages: 100, maxDocumentBytes: 0, maxPagePictures: 0 }
    const progress = { ...emptyProgress(), earlierUsage }
    const { transcript } = await runUntilWaiting({ history, contextLimits, progress }, true)
    expect(transcript).toMatchObject({ earlierUsage, said: history.slice(1) })
    expect(transcript?.said).toHaveLength(2)
  })
})
