import * as z from 'zod'
import type { Model } from '../../functions/models/model.ts'
import { beginReply } from '../../functions/chat/progress.ts'
import { limitContext } from '../../functions/chat/prompt/context-limits.ts'
import type { ActiveReply, Prompt, Reply } from '../../functions/chat/reply.ts'
import type { runStatelessReply } from '../../functions/chat/run-reply.ts'
import { logger } from '../../functions/platform/telemetry/logger.ts'
import { ReplyLog } from '../../functions/conversations/store/reply-log.ts'
import { offerTools } from '../../functions/chat/tools/deferred-tools.ts'
import { resultPager } from '../../functions/chat/tools/result-pager.ts'
import { zodParameters, type Tool } from '../../functions/tools/calls/tool.ts'

const noop = async () => undefined
const settings = { keep_conversations: true, store_uploads: true, theme: null }
const ledger = { record: () => undefined, written: noop }

/** The progress of a reply that has not begun. */
export const emptyProgress = () => beginReply(new ReplyLog()).progress

/** A prompt of one message. The user allows no tool for always, and files of results are not shown. */
export const buildPrompt = (changes: Partial<Prompt> = {}): Prompt => ({
  tools: [],
  messages: [{ role: 'user', content: 'Hello' }],
  isAllowed: () => false,
  isConnected: () => true,
  showFiles: async () => ({ notes: [], images: [] }),
  ...changes,
})

/** A tool that takes anything, reads, and finds something. */
export const buildTool = (changes: Partial<Tool> = {}): Tool => ({
  name: 'find',
  description: 'Finds',
  parameters: zodParameters(z.looseObject({})),
  writes: false,
  activity: 'research',
  timeoutMs: 30_000,
  run: async () => 'found',
  ...changes,
})

/** The events of a reply so far; deltas of its texts are left out. */
export const listEvents = (log: ReplyLog) =>
  log.readAfter(0).flatMap((part) => ('event' in part ? [part.event] : []))

/** What a reply of a model is generated from. Nothing is counted or recorded. */
export const buildGenerateInput = (model: Model, changes: Partial<ActiveReply> = {}): ActiveReply => ({
  ...buildPrompt(),
  offered: offerTools(changes.tools ?? [], changes.contextTokens),
  resultPager: resultPager(),
  model,
  modelName: 'test-model',
  price: undefined,
  mayBillSearches: false,
  contextTokens: undefined,
  progress: emptyProgress(),
  continues: false,
  events: new ReplyLog(),
  signal: new AbortController().signal,
  spending: { reserve: noop, spend: () => undefined },
  ledger,
  ...changes,
})

/** The same for calls of tools without a model, which is offered all of them. */
export const buildCallContext = (changes: Partial<ActiveReply> = {}): ActiveReply =>
  buildGenerateInput(undefined as never, { offered: changes.tools ?? [], ...changes })

/** What a reply of a model is written and stored from, for a request that comes now. */
export const buildRunInput = (model: Model, changes: Partial<Reply> = {}): Reply => ({
  model,
  startDate: new Date().toISOString().slice(0, 10),
  modelName: 'test-model',
  contextTokens: undefined,
  price: undefined,
  mayBillSearches: false,
  sub: 'user',
  isSaved: true,
  user: {
    profile: undefined,
    settings,
    memories: [],
    connected: Promise.resolve({ integrations: [], customTools: [] }),
  },
  hasEarlier: false,
  hints: {},
  disabledTools: undefined,
  prompt: Promise.resolve(buildPrompt()),
  loadPrompt: async () => buildPrompt(),
  endWaits: () => undefined,
  issuedAt: 0,
  groups: [],
  history: [{ role: 'user', content: 'Hello' }],
  contextLimits: limitContext({}),
  progress: emptyProgress(),
  continues: false,
  events: new ReplyLog(),
  spending: { reserve: noop, spend: () => undefined, reserveImage: noop, refundImage: noop },
  ledger,
  requestId: 'r',
  receivedAtMs: Date.now(),
  remainingMs: () => 300_000,
  log: logger,
  ...changes,
})

type WriteDeps = Parameters<typeof runStatelessReply>[0]

/** What replies are written with, for a user without connections or files. */
export const buildWriteDeps = (changes: Partial<WriteDeps> = {}): WriteDeps => ({
  settings: { find: async () => settings },
  toolProvider: {
    takeToolChanges: async () => false,
    listConnected: async () => ({ integrations: [], customTools: [] }),
    loadTools: async () => ({ tools: [], missing: [], isAllowed: () => false }),
    allow: noop,
    record: noop,
  },
  wasDisabled: async () => false,
  fileDeps: undefined as never,
  ...changes,
})
