import * as z from 'zod'
import type { ChatEvent } from '#shared/chat-events.ts'
import { submitDecision } from '../../functions/chat/submit-decision.ts'
import { followRun } from '../../functions/conversations/replies/follow-run.ts'
import { respond } from '../../functions/conversations/replies/reply-response.ts'
import { beginReply } from '../../functions/chat/progress.ts'
import { buildPrompt, buildRunInput, buildWriteDeps } from './reply-input.ts'
import { limitContext } from '../../functions/chat/prompt/context-limits.ts'
import { modelErrors, ModelError } from '../../functions/models/model-errors.ts'
import type { Model } from '../../functions/models/model.ts'
import { createModelList } from '../../functions/chat/model-list.ts'
import type { Reservation } from '../../functions/chat/reply-budget.ts'
import { runReply } from '../../functions/chat/run-reply.ts'
import type { ToolProvider } from '../../functions/tools/tool-provider.ts'
import { zodParameters, type Tool } from '../../functions/tools/calls/tool.ts'
import { fileRepository } from '../../functions/files/file-repository.ts'
import { logger } from '../../functions/platform/telemetry/logger.ts'
import { openObjectStore } from '../../functions/platform/s3/object-store.ts'
import { noAssistants } from './assistants.ts'
import { projectRepository } from '../../functions/projects/project-repository.ts'
import { memoryRepository } from '../../functions/settings/memory-repository.ts'
import { ReplyLog } from '../../functions/conversations/store/reply-log.ts'
import type { StartedTurn } from '../../functions/conversations/turns/start-turn.ts'
import { loadTurn, type TurnRequest } from '../../functions/conversations/turns/load-turn.ts'
import { publishTurn } from '../../functions/conversations/turns/publish-turn.ts'
import type { Run } from '../../functions/conversations/store/run.ts'
import { startTurn } from '../../functions/conversations/turns/start-turn.ts'
import type { newConversationIds, TestStores } from './conversations.ts'

const round = { text: '', toolCalls: [], truncated: false, inputTokens: 0, outputTokens: 0 }

/** A model that replies with this text; `truncated`: it reaches the token limit. */
export const replyingModel = (text: string, truncated = false): Model => ({
  async complete({ onText }) {
    onText(text)
    return { ...round, text, truncated }
  },
})

/** A model whose stream breaks. */
export const failingModel = (text = ''): Model => ({
  async complete({ onText }) {
    if (text) onText(text)
    throw new ModelError(modelErrors.busy, 'test')
  },
})

/** A model that sends this text, then waits for `resume`. */
export function pausingModel(text: string) {
  const { promise: modelCalled, resolve: begin } = Promise.withResolvers<void>()
  const { promise: more, resolve: resume } = Promise.withResolvers<void>()
  const model: Model = {
    async complete({ onText, signal }) {
      onText(text)
      begin()
      const aborted = new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      )
      await Promise.race([more, aborted])
      onText(' And more.')
      return { ...round, text: `${text} And more.` }
    },
  }
  return { model, modelCalled, resume }
}

/** A tool that needs approval, a model that calls it as `c1`, and the arguments that it received. */
export function sendingTool() {
  const sent: unknown[] = []
  const tool: Tool = {
    name: 'send',
    description: 'Sends',
    parameters: zodParameters(z.object({ to: z.string() })),
    writes: true,
    activity: 'other',
    timeoutMs: 30_000,
    run: async (input) => sent.push(input),
  }
  const callingModel: Model = {
    complete: async () => ({
      ...round,
      toolCalls: [{ id: 'c1', name: 'send', arguments: '{"to":"ann"}' }],
    }),
  }
  return { sent, tool, callingModel }
}

/** The types of a reply's events, in order. */
export const listTypes = (reply: ReplyLog) =>
  reply.readAfter(0).flatMap((part) => ('event' in part ? [part.event.type] : ['text']))

export type Received = (ChatEvent | '[DONE]')[]

async function readEvents(frames: AsyncIterable<string>, received: Received): Promise<Received> {
  for await (const frame of frames)
    for (const [, data = ''] of frame.matchAll(/^data: (.*)$/gm))
      received.push(data === '[DONE]' ? data : (JSON.parse(data) as ChatEvent))
  return received
}

const done = () => Promise.resolve()

/** A reservation in an unlimited budget. */
export const unlimitedReservation: Reservation = {
  admit: done,
  settleAfter: (ended) => ended,
  release: done,
  countAsScheduled: () => undefined,
  reserve: done,
  spend: () => undefined,
  reserveImage: done,
  refundImage: done,
}

/** A user's connections with these tools. */
export const toolProviderWith = (...tools: Tool[]): ToolProvider => ({
  listConnected: async () => ({ integrations: [], customTools: [] }),
  loadTools: async () => ({ tools, missing: [], isAllowed: () => false }),
  allow: async () => undefined,
  record: async () => undefined,
  takeToolChanges: async () => false,
})

type ConversationIds = ReturnType<typeof newConversationIds>

/** What replies of tests are written with, but their model. */
export const openTurnDeps = (stores: TestStores) => ({
  stores,
  profiles: { find: async () => undefined },
  settings: { find: async () => ({ keep_conversations: true, store_uploads: true, theme: null }) },
  memories: memoryRepository(stores.table),
  projects: projectRepository(stores.table),
  assistants: noAssistants,
  imageModel: undefined,
  queryTables: () => Promise.reject(new Error('no tables are queried')),
  assistantName: 'Ada',
  reservation: unlimitedReservation,
  toolProvider: toolProviderWith(),
  wasDisabled: () => Promise.resolve(false),
  fileDeps: {
    files: fileRepository(stores.table),
    store: openObjectStore('none'),
    startReading: async () => undefined,
  },
})

/** Runs turns as the chat function does, over a test's stores. */
export function turnRunner(stores: TestStores) {
  const deps = openTurnDeps(stores)

  /** Starts a turn that is not published to its conversation yet. */
  async function startUnpublishedTurn(
    ids: ConversationIds,
    messageId = 'm1',
    content = 'Hello',
    more: Partial<TurnRequest> = {},
  ) {
    const request = { ...ids, messageId, content, historyLimits: limitContext({}), ...more }
    return startTurn(stores, request, await loadTurn(stores, request))
  }

  async function start(...args: Parameters<typeof startUnpublishedTurn>) {
    const turn = await startUnpublishedTurn(...args)
    if (turn.kind === 'started' && turn.run.isSaved) await publishTurn(stores, turn.run, turn)
    return turn
  }

  async function startNew(...args: Parameters<typeof start>): Promise<StartedTurn> {
    const turn = await start(...args)
    if (turn.kind !== 'started') throw new Error(`not started but ${turn.kind}`)
    return turn
  }

  function write(
    run: Run,
    model: Model,
    tools: Tool[] = [],
    { remainingMs = 300_000, partialReply }: WriteOptions = {},
  ) {
    const events = new ReplyLog()
    events.push({ type: 'start', messageId: run.replyId, messageMetadata: {} })
    const input = buildRunInput(model, {
      prompt: Promise.resolve(buildPrompt({ tools })),
      ...beginReply(events, partialReply),
      events,
      receivedAtMs: partialReply ? undefined : Date.now(),
      remainingMs: () => remainingMs,
    })
    const ended = runReply({ ...buildWriteDeps(), stores }, run, input)
    return { reply: events, ended }
  }

  return {
    start,
    startUnpublishedTurn,
    startNew,
    startRun: async (...args: Parameters<typeof start>): Promise<Run> => (await startNew(...args)).run,

    write,

    /**
     * Decides the approval request `c1` of a waiting run.
     * @param onAlways gets the tool that is always allowed; if given, the decision is “always”
     */
    decide: async (
      run: Run,
      model: Model,
      tool: Tool | undefined,
      approved = true,
      { sub = run.sub, onAlways }: { sub?: string | undefined; onAlways?: (tool: Tool) => void } = {},
    ) => {
      const call = {
        user: {
          sub,
          username: sub,
          issuedAt: 0,
          signedInAt: 0,
          signInId: '',
          hasSelfServiceScope: false,
          groups: [],
          mustSetUpTwoFactor: false,
        },
        file: undefined,
        params: { sessionId: run.sessionId },
        query: undefined,
        body: { runId: run.runId, callId: 'c1', approved, ...(onAlways && { always: true }) },
        headers: {},
        requestId: 'r',
        receivedAtMs: Date.now(),
        remainingMs: () => 300_000,
        log: logger,
        guard: done,
      }
      const outcome = await submitDecision(call, {
        ...deps,
        models: createModelList({ models: [], defaultId: 'test-model', open: () => model }),
        toolProvider: {
          ...toolProviderWith(...(tool ? [tool] : [])),
          allow: async (_, allowed) => onAlways?.(allowed),
        },
      })
      return respond(call, { stores, streams: { acquire: async () => ({ release: done }) } }, outcome)
    },

    /** @param received grows while the events come */
    follow: (run: Run, after = 0, received: Received = []) =>
      readEvents(followRun(stores, { run, after, isTimeUp: () => false }), received),
  }
}

interface WriteOptions {
  remainingMs?: number
  /** the incomplete reply to continue */
  partialReply?: StartedTurn['partialReply']
}
