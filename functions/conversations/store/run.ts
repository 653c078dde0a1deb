import { type Failure, disabledTool, usage } from '#shared/contracts/chat.ts'
import { coded } from '#shared/sentences/sentence.ts'
import * as z from 'zod'
import { untrustedSource, type ApprovalRequest, type RunView, type TaskView } from '#shared/contracts/runs.ts'
import { elicitation, elicitationResponse, elicitedInput } from '#shared/contracts/elicitation.ts'
import { reconnectReason } from '#shared/contracts/reconnect.ts'
import { conversationAssistant } from '#shared/contracts/messages.ts'
import { attachment } from '#shared/contracts/files.ts'
import { approvalLapsesAfterMs } from '#shared/limits.ts'
import type { ReplyState } from '#shared/reply/reply-state.ts'
import { parseExactJson, toPlainNumbers } from '../../platform/exact-json.ts'
import { serverTask, type ServerTask } from '../../platform/server-task.ts'
import { branches, cutPath, findPath, showNewest, type Path } from './branches.ts'

/** All states but the first two are final. A waiting run occupies no function. */
const runStatus = z.enum(['running', 'waiting', 'done', 'stopped', 'failed', 'incomplete', 'interrupted'])
type RunStatus = z.infer<typeof runStatus>
export type EndedStatus = Exclude<RunStatus, 'running' | 'waiting'>

/** What has happened to a call before it waited; stored with it until it ends. */
export const callHistory = z.object({
  /** when the user approved it; undefined if it needed no approval */
  approvedAtMs: z.number().optional(),
  /** the user allowed the host of its address in the conversation */
  hostAllowed: z.literal(true).optional(),
  /** the user was asked for more permissions (scopes), which happens once for a call */
  steppedUp: z.boolean().optional(),
  /** how often its server has asked the user for input */
  rounds: z.number().int().optional(),
  /** what the server asked, and what was sent to it */
  elicited: z.array(elicitedInput).optional(),
  /** what to send back to the server, byte for byte */
  requestState: z.string().optional(),
  /** the user's answers, of a call that could not be made with them yet */
  inputResponses: z
    .record(
      z.string(),
      z.object({ action: z.string(), content: z.record(z.string(), z.unknown()).optional() }),
    )
    .optional(),
  /** the task that the call has become: the call is never repeated */
  task: serverTask.optional(),
})
export type CallHistory = z.infer<typeof callHistory>

/**
 * A tool call that waits, for the user or for its server. `decision` is the user's, or says that the task is over; the stored arguments are
 * the ones that run.
 */
export const pendingCall = z.object({
  callId: z.string(),
  /** whether the call has to be allowed, its integration connected again, its server's requests answered, or its task finished */
  kind: z.enum(['approval', 'reconnect', 'elicitation', 'task']).default('approval'),
  tool: z.string(),
  /** display name of the tool */
  title: z.string().default(''),
  /** the connection it belongs to */
  of: z.object({ mcpId: z.string(), name: z.string(), namespace: z.string().optional() }).optional(),
  /** the server's own description of the tool */
  description: z.string().optional(),
  destructive: z.boolean().optional(),
  /** text of others that may have asked for a change of the memory */
  untrusted: z.array(untrustedSource).optional(),
  /** why its integration has to be connected again although the credential is valid */
  reconnect: reconnectReason.optional(),
  /** fingerprint of the tool when the approval was requested; a tool that has changed since is requested again */
  fingerprint: z.string().default(''),
  arguments: z.string(),
  /** what its server asks for, if `kind` is `elicitation` */
  elicitations: z.array(elicitation).optional(),
  history: callHistory.optional(),
  askedAtMs: z.number(),
  /** when it lapses, if not after the time of its kind */
  lapsesAtMs: z.number().optional(),
  decision: z.enum(['approved', 'denied']).optional(),
  decidedAtMs: z.number().optional(),
  /** the user's answer to `elicitations` */
  response: elicitationResponse.optional(),
})
export type PendingCall = z.infer<typeof pendingCall>

/** What a waiting run needs to resume in a new invocation. */
export const transcript = z.object({
  /** messages before the run, of a temporary chat, which are stored nowhere else */
  said: z
    .array(
      z.object({
        role: z.enum(['user', 'assistant']),
        content: z.string(),
        attachments: z.array(attachment.extend({ extractedText: z.string().optional() })).default([]),
      }),
    )
    .optional(),
  /** the reply so far */
  reply: z.custom<ReplyState>((value) => typeof value === 'object' && value !== null),
  /** the turn so far as the model was given it, as JSON: what events do not tell, such as what the model's server wants back */
  turn: z.string().optional(),
  /** the rounds of a run that an earlier release has left waiting */
  messages: z.array(z.record(z.string(), z.unknown())).optional(),
  /** where the prompt was cut */
  cut: z.object({ model: z.string(), from: z.number(), whole: z.number() }).optional(),
  /** what the page said about itself, and the day on which the conversation began: they stand in the prompt */
  hints: z.record(z.string(), z.unknown()).optional(),
  startDate: z.string().optional(),
  /** the part of the usage from earlier runs; only for a continued reply */
  earlierUsage: usage.optional(),
  /** position in the reply's event log that the next event follows */
  position: z.number().int(),
})
export type Transcript = z.infer<typeof transcript>

/** A value in rows of its own. */
const storedValue = z.object({ id: z.string(), chunks: z.number().int().positive() })
export type StoredValue = z.infer<typeof storedValue>

/** Where approval requests and transcript of a waiting run are stored, with the decisions so far in the same order. */
const waitState = storedValue.extend({
  /** when the last of the requests lapses; absent in runs of earlier releases */
  lapsesAtMs: z.number().optional(),
  answers: z.array(
    pendingCall.pick({ decision: true, decidedAtMs: true }).extend({
      /** the arguments as the user has changed them */
      edited: storedValue.optional(),
      /** the user's answer to what the server asks for */
      response: storedValue.optional(),
    }),
  ),
})

/** The schedule that has begun a run: nobody is there. `writes`: the tools that its person has approved in advance, as they were then. */
const runSchedule = z.object({
  id: z.string(),
  writes: z.array(z.object({ name: z.string(), fingerprint: z.string() })),
})
export type RunSchedule = z.infer<typeof runSchedule>

/** The one run item of a conversation: its newest run, which fences every write of an older one. */
const runItem = z.object({
  sub: z.string(),
  sessionId: z.string(),
  runId: z.string(),
  /** advances whenever the run gets another writer, by its claim or when it resumes: a late write of the former one changes nothing */
  epoch: z.number().int(),
  /** number of the turn that the run answers, from 1 */
  turn: z.number().int().positive(),
  /** the client's id of the user's message */
  messageId: z.string(),
  replyId: z.string(),
  status: runStatus,
  /** id of the model that replies */
  model: z.string().optional(),
  /** how much it reasons; without it the model's server decides */
  effort: z.string().optional(),
  /** connections and tools that it may not use */
  disabledTools: z.array(disabledTool).optional(),
  /** the project of the conversation */
  projectId: z.string().optional(),
  /** its assistant, and the version that replies */
  assistant: conversationAssistant.optional().catch(undefined),
  /** undefined if a person has sent the message. What cannot be read approves nothing */
  schedule: runSchedule.optional().catch({ id: '', writes: [] }),
  /** false for a temporary chat: only this item exists, and it is deleted when the run ends */
  kept: z.boolean().default(true),
  /** seconds; set for temporary runs, so that the item expires */
  ttl: z.number().optional(),
  startedAtMs: z.number(),
  heartbeatAtMs: z.number(),
  /** ids of the files that came with the user's message, without those that were in use before */
  fileIds: z.array(z.string()).default([]),
  /** when the user first asked to stop it */
  stopRequestedAtMs: z.number().optional(),
  /** until when a reader follows the run from another invocation */
  watchedUntilMs: z.number().default(0),
  /** only of a waiting run, whose approval requests and transcript are in rows of their own */
  parked: waitState.optional(),
  /** the sentence for the user when the run failed, and what it says */
  error: z.string().optional(),
  errorCode: coded.optional().catch(undefined),
  /** when it failed */
  failedAtMs: z.number().optional(),
  /** id of the request that writes it */
  requestId: z.string().optional(),
  /**
   * the message, and its turn, that this run's message replaces; set until it is an earlier version of this run's turn. `title`: what the
   * conversation is called then
   */
  replaces: z
    .object({ messageId: z.string(), turn: z.number().int().positive(), title: z.string().optional() })
    .optional(),
  /** which turns are versions of others, and which are shown; of the conversation, so that the claim of a run fences it */
  branches: branches.optional(),
})
export const run = runItem.transform(({ kept, parked, ...others }): Run => ({
  ...others,
  isSaved: kept,
  ...(parked && { waitState: parked }),
  pending: [],
}))
export type Run = Omit<z.infer<typeof runItem>, 'kept' | 'parked'> & {
  isSaved: boolean
  waitState?: z.infer<typeof waitState> | undefined
  /** of a waiting run */
  pending: PendingCall[]
  transcript?: Transcript | undefined
}

/** The name of `waitState` in rows; users' tables have it. */
export const waitStateName = { '#waitState': 'parked' } as const satisfies Record<
  string,
  keyof z.infer<typeof runItem>
>

/** An approval is valid for this long. */
export const approvalValidMs = 5 * 60_000

/**
 * How long the rows of a run stay that its end does not delete: what was written before a crash, and what a waiting run needs. Longer than
 * anything waits (30 days), so that a late answer, or the next reader, still gets the whole reply.
 */
export const runRowsTtlSeconds = 90 * 86_400

/** A temporary run expires after the longest time that a run can wait. */
export const temporaryTtlSeconds = approvalLapsesAfterMs / 1000 + 3_600

/** A run that begins to wait, with the expiry that a temporary one has from now on: its next request may be answered as long as the first. */
export const renewTtl = (run: Run): Run =>
  run.ttl === undefined ? run : { ...run, ttl: Math.floor(Date.now() / 1000) + temporaryTtlSeconds }

/** Whether a run has not ended yet: it is running or waiting. */
export function isActive({ status }: Run): boolean {
  return status === 'running' || status === 'waiting'
}

/** Whether the run ended without a word of the reply that was to replace another one: its turn belongs to no branch. */
export const isEmptyAttempt = (run: Run): boolean => run.replaces !== undefined && !isActive(run)

type TurnsOfRun = Pick<Run, 'branches'> & Partial<Pick<Run, 'turn' | 'replaces'>>

/**
 * The turns that are shown. One that replaces another is not among them before it has its reply (`commitReplacement`): until then, and if it
 * gets none, the conversation is as it was.
 */
export function findShownPath({ branches: tree, turn, replaces }: TurnsOfRun): Path {
  const path = findPath(tree)
  return replaces && turn !== undefined ? cutPath(path, turn) : path
}

/** The turns that the prompt of a run is made of: its own, and those before it. With a turn that it replaces, which the prompt leaves out. */
export const findRunPath = ({
  branches: tree,
  turn,
  replaces,
}: Pick<Run, 'branches' | 'turn' | 'replaces'>): Path =>
  replaces ? [{ first: turn, last: turn }, ...findPath(tree, replaces.turn)] : findPath(showNewest(tree))

/** A task as the page may see it, without its id. */
export const toTaskView = ({ createdAtMs, expiresAtMs, pollMs, message }: ServerTask): TaskView => ({
  started_at: new Date(createdAtMs).toISOString(),
  ...(expiresAtMs !== undefined && { expires_at: new Date(expiresAtMs).toISOString() }),
  poll_after_ms: pollMs,
  ...(message !== undefined && { message }),
})

/** A waiting call as the page may see it. */
export const toApprovalRequest = ({
  callId,
  kind,
  tool,
  title,
  of,
  description,
  destructive,
  untrusted,
  reconnect,
  elicitations,
  history,
  askedAtMs,
  lapsesAtMs,
  decision,
  ...call
}: PendingCall): ApprovalRequest => ({
  call_id: callId,
  kind,
  tool,
  title: title || tool,
  integration: of?.name ?? null,
  mcp_id: of?.mcpId ?? null,
  ...(of?.namespace !== undefined && { namespace: of.namespace }),
  ...(description !== undefined && { description }),
  ...(destructive && { destructive }),
  ...(untrusted && { untrusted }),
  ...(reconnect && { reconnect }),
  ...(elicitations && { elicitations }),
  ...(kind === 'task' && history?.task && { task: toTaskView(history.task) }),
  // the page shows digits that JavaScript cannot hold as text, and what runs are the digits
  arguments: toPlainNumbers(parseExactJson(call.arguments)) as Record<string, unknown>,
  asked_at: new Date(askedAtMs).toISOString(),
  ...(lapsesAtMs !== undefined && { lapses_at: new Date(lapsesAtMs).toISOString() }),
  decision: decision ?? null,
})

/** Why the run failed, if it is stored. */
export const getFailure = ({ error, errorCode }: Pick<Run, 'error' | 'errorCode'>): Failure | undefined =>
  error === undefined ? undefined : { error, ...errorCode }

/** The run as the page may see it. */
export function toRunView(run: Run): RunView {
  const { runId, status, messageId, replyId, replaces, pending, requestId, heartbeatAtMs } = run
  const hasFailed = status === 'failed' || status === 'interrupted' || run.error !== undefined
  return {
    run_id: runId,
    status,
    message_id: messageId,
    reply_id: replyId,
    ...getFailure(run),
    ...(hasFailed && {
      ...(requestId !== undefined && { request_id: requestId }),
      failed_at: new Date(run.failedAtMs ?? heartbeatAtMs).toISOString(),
    }),
    ...(replaces && { replaces: replaces.messageId }),
    ...(status === 'waiting' && { questions: pending.map(toApprovalRequest) }),
  }
}
