import { sayChat } from '#shared/sentences/chat.ts'
import { findFormProblems } from '#shared/elicitation.ts'
import type { ElicitationResponse } from '#shared/contracts/elicitation.ts'
import type { ValidRequest } from '../platform/http/api-function.ts'
import { requireRecentSignIn } from '../platform/auth/recent-sign-in.ts'
import { BadRequest } from '../platform/errors.ts'
import { pageBytes } from '../platform/limits.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { RunNotFound } from '../conversations/store/errors.ts'
import { ReplyLog } from '../conversations/store/reply-log.ts'
import { findRunPath, type PendingCall, type Run } from '../conversations/store/run.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import { fingerprintTool } from '../tools/calls/tool.ts'
import type { ReplyOutcome } from '../conversations/replies/reply-response.ts'
import type { Progress } from './progress.ts'
import { limitContext, type ContextLimits } from './prompt/context-limits.ts'
import { toDate } from './prompt/message-notes.ts'
import type { PromptMessage } from './prompt/prompt.ts'
import { addTranscripts, parseTranscript, transcriptFactor } from './prompt/transcript.ts'
import type { ModelMessage } from '../models/model.ts'
import type { Reservation } from './reply-budget.ts'
import { loadUserContext, loadUserTools, type Reply, type ReplyDeps } from './reply.ts'
import { isTooLong, parseArguments } from './tools/run-tool.ts'
import { hasTaskLapsed } from './tools/pending-calls.ts'
import { getLapsesAtMs } from '../conversations/store/waiting-runs.ts'
import { goneAssistant, openAssistant } from './open-assistant.ts'
import { openReply } from './open-reply.ts'
import { openSummary } from './conversation-summary.ts'
import { runReply, finishConversation } from './run-reply.ts'

interface SubmitDecisionDeps extends ReplyDeps {
  stores: ConversationStores
  reservation: Reservation
}

/** Loads the messages before the run: from the table, or from the run itself for a temporary chat. */
async function loadHistory(
  { messages, transcripts }: ConversationStores,
  run: Run,
  limits: ContextLimits,
): Promise<{ history: readonly PromptMessage[]; hasEarlier: boolean }> {
  const { sub, sessionId, turn, replaces, transcript } = run
  if (transcript?.said) return { history: transcript.said, hasEarlier: false }
  const [newest, found] = await Promise.all([
    messages.loadNewest(sub, sessionId, { ...limits, maxBytes: pageBytes, path: findRunPath(run) }),
    transcripts.loadNewest(sub, sessionId, limits.maxCharacters * transcriptFactor),
  ])
  return {
    history: addTranscripts(newest.messages, found).filter(
      (one) => one.turn === turn || one.turn < (replaces?.turn ?? turn),
    ),
    hasEarlier: newest.earlier !== null,
  }
}

/** Finds the approval request and the decision. @throws RunNotFound when the run does not wait for it */
function findDecision(run: Run, { runId, callId, approved }: ValidRequest<'runs.answer'>['body']) {
  const index = run.pending.findIndex((call) => call.callId === callId)
  const request = run.pending[index]
  const notFound = new RunNotFound(`run ${runId} does not wait for a decision on ${callId}`)
  if (run.status !== 'waiting' || run.runId !== runId || !request) throw notFound
  // an approval that comes too late counts as a denial
  const hasExpired =
    hasTaskLapsed(request, Date.now()) || (request.kind !== 'task' && Date.now() > getLapsesAtMs(request))
  const decision = approved && !hasExpired ? 'approved' : 'denied'
  // the same decision again is a retry of a request that broke off before the run resumed
  if (request.decision !== undefined && request.decision !== decision) throw notFound
  return { index, decision, request } as const
}

/**
 * The user's answer to what the server of a call asks for, checked against its forms.
 * @throws BadRequest with the first thing that is wrong
 */
function readResponse(
  { kind, elicitations = [] }: PendingCall,
  decision: 'approved' | 'denied',
  { approved, elicitation: response }: ValidRequest<'runs.answer'>['body'],
): ElicitationResponse | undefined {
  if (kind !== 'elicitation') return undefined
  if (response && approved !== (response.action === 'accept'))
    throw new BadRequest(sayChat('bad_request.contradiction'))
  if (decision === 'denied') return { action: response?.action === 'decline' ? 'decline' : 'cancel' }
  const contents = new Map(Object.entries(response?.content ?? {}))
  for (const request of elicitations) {
    if (request.mode === 'url') continue
    const content = contents.get(request.key)
    if (!content) throw new BadRequest(sayChat('bad_request.fill_in'))
    const [problem] = Object.entries(findFormProblems(request.fields, content))
    if (problem) {
      const [field, sentence] = problem
      const { label = field } = request.fields.find(({ name }) => name === field) ?? {}
      throw new BadRequest(sayChat('bad_request.form_field', { label, problem: sentence }))
    }
    contents.delete(request.key)
  }
  if (contents.size > 0) throw new BadRequest(sayChat('bad_request.other_form'))
  return { action: 'accept', ...(response?.content && { content: response.content }) }
}

/**
 * Stores the user's decision on a call that waits for approval. The last decision resumes the reply, which becomes this request's
 * response; earlier ones respond that the run still waits.
 * @throws RunNotFound, RunChanged when two decisions collide, SignInTooOld for a card that lets tools of a schedule run unasked, TooManyReplies, UserBudgetUsedUp, SiteBudgetUsedUp
 */
export async function submitDecision(
  call: ValidRequest<'runs.answer'>,
  deps: SubmitDecisionDeps,
): Promise<ReplyOutcome> {
  const { stores, reservation } = deps
  const { sub } = call.user
  const { sessionId } = call.params
  const [found] = await waitForAll([stores.runs.find(sub, sessionId), call.guard(reservation.admit)])
  if (!found) throw new RunNotFound(`no run in ${sessionId}`)
  if (found.schedule) reservation.countAsScheduled()
  const { index, decision, request } = findDecision(found, call.body)
  const response = readResponse(request, decision, call.body)
  if (decision === 'approved' && approvesWrites(request, call.body.arguments))
    requireRecentSignIn(call.user, Date.now())
  // the arguments of a call that has become a task were already sent
  const isTask = request.kind === 'task'
  const edited = decision === 'approved' && !isTask ? JSON.stringify(call.body.arguments) : undefined
  if (edited !== undefined && isTooLong({ arguments: edited }))
    throw new BadRequest(sayChat('bad_request.too_long'))
  // a model that was taken off the list meanwhile is replaced
  const choice = deps.models.resume(found)
  const [run, { history, hasEarlier }, user, head] = await waitForAll([
    // of two responses to a form the first one counts
    response && request.decision
      ? found
      : stores.runs.decide(found, index, {
          decision,
          decidedAtMs: Date.now(),
          ...(edited !== undefined && !response && { arguments: edited }),
          response,
        }),
    loadHistory(stores, found, limitContext(choice.model, found.schedule)),
    loadUserContext(deps, sub),
    found.assistant && !found.assistant.gone
      ? deps.assistants.find(call.user, found.assistant.id)
      : undefined,
  ])
  if (run.pending.some((request) => request.decision === undefined)) return { kind: 'following', run }

  // of a page not the tool, but its host in this conversation
  const allowsHost = isReadPage(request) && call.body.always === true && decision === 'approved'
  const { transcript } = run
  // an earlier release stored the rounds alone
  const { given, messages: rounds = (transcript?.messages ?? []) as unknown as ModelMessage[] } =
    parseTranscript(transcript?.turn ?? '') ?? {}
  const progress: Progress = {
    earlierUsage: transcript?.earlierUsage,
    roundMessages: rounds,
    given,
    cut: transcript?.cut,
    inputTokens: 0,
    outputTokens: 0,
  }
  const start = {
    sub,
    user,
    history,
    hasEarlier,
    hints: (transcript?.hints ?? {}) as Reply['hints'],
    startDate: transcript?.startDate ?? toDate(Date.now()),
    disabledTools: run.disabledTools,
    schedule: run.schedule,
    projectId: run.projectId,
    // its own version, which the reply has begun with
    assistant: head
      ? openAssistant(deps.assistants, call.user, head, run.assistant?.version ?? head.version)
      : found.assistant && goneAssistant(found.assistant.name),
    choice,
    isSaved: run.isSaved,
    ...(run.isSaved && {
      sessionId,
      summaryStore: openSummary(stores, run),
      titleStore: stores.conversations,
    }),
    events: new ReplyLog(transcript?.position, transcript?.reply),
    progress,
    continues: false,
    decidedCalls: run.pending.map((one, at) =>
      at === index && allowsHost ? { ...one, history: { ...one.history, hostAllowed: true as const } } : one,
    ),
    spending: reservation,
  }
  // somebody else's assistant may have led to the call; and what a schedule may do is in the schedule
  const isTrusted =
    start.assistant?.isMine !== false &&
    !request?.untrusted?.some(({ kind }) => kind === 'assistant') &&
    !run.schedule
  if (
    isTrusted &&
    call.body.always &&
    decision === 'approved' &&
    !response &&
    !isTask &&
    !isReadPage(request)
  )
    await allowTool(deps, start, run.pending[index])
  // the last step that can fail: until then the run waits, and the decision can be sent again
  const resumed = await stores.runs.resume(run, Date.now(), call.requestId)
  const reply = openReply(call, deps, start)
  const result = runReply(deps, resumed, reply)
  const finished = reservation.settleAfter(result, finishConversation(deps, reply))
  return { kind: 'live', events: reply.events, result, finished }
}

/**
 * Whether the approval of a card lets tools run unasked in a schedule: those that it names, or that the schedule has already.
 * @param edited the arguments as the user has changed them
 */
function approvesWrites(
  { tool, of, arguments: text }: Pick<PendingCall, 'tool' | 'of' | 'arguments'>,
  edited: Record<string, unknown> | undefined,
): boolean {
  if (of !== undefined || (tool !== 'create_schedule' && tool !== 'change_schedule')) return false
  const asked = parseArguments(text) ?? {}
  const args = edited ?? asked
  if (args['delete'] === true) return false
  const { writes } = (asked['before'] ?? {}) as { writes?: unknown }
  const tools = args['run_without_asking'] ?? (args['paused'] === true ? undefined : writes)
  return Array.isArray(tools) && tools.length > 0
}

const isReadPage = ({ tool, of }: Pick<PendingCall, 'tool' | 'of'>) =>
  tool === 'read_page' && of === undefined

/** Stores 'Always allow', only for the tool as it was when approval was requested. */
async function allowTool(
  { toolProvider, toolsAllowed }: Pick<ReplyDeps, 'toolProvider' | 'toolsAllowed'>,
  start: Parameters<typeof loadUserTools>[1],
  request: PendingCall | undefined,
) {
  const { tools } = await loadUserTools({ toolProvider, toolsAllowed }, start)
  const tool = tools.find(({ name }) => name === request?.tool)
  if (tool && fingerprintTool(tool) === request?.fingerprint) await toolProvider.allow(start.sub, tool)
}
