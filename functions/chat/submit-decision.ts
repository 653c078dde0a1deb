import { approvalLapsesAfterMs } from '#shared/limits.ts'
import type { ApiCall } from '../platform/http/api-function.ts'
import { BadRequest } from '../platform/errors.ts'
import type { OpenSlots } from '../platform/dynamodb/open-slots.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { RunNotFound } from '../runs/errors.ts'
import { findPath } from '../runs/branches.ts'
import { promptLimits } from '../runs/load-turn.ts'
import { ReplyLog } from '../runs/reply-log.ts'
import type { PendingCall, Run } from '../runs/run.ts'
import type { Stores } from '../conversations/stores.ts'
import { fingerprintOf } from '../tools/fingerprint.ts'
import { respondFollowing, respondLive } from './response/reply-response.ts'
import type { Progress } from './progress.ts'
import type { ModelMessage } from './model/model.ts'
import type { Reservation } from './reply-budget.ts'
import { loadUserTools, loadUserContext, buildReplyInput, type ReplyDeps } from './reply-input.ts'
import { isTooLong } from './tools/run-tool.ts'
import { runReply } from './run-reply.ts'

interface SubmitDecisionDeps extends ReplyDeps {
  stores: Stores
  reservation: Reservation
  streams: OpenSlots
}

/** What was said up to the run's message: stored, or in the run itself. */
async function loadHistory(
  { messages }: Stores,
  { sub, sessionId, turn, replaces, branches, transcript }: Run,
) {
  if (transcript?.said) return transcript.said
  const newest = await messages.loadNewest(sub, sessionId, { ...promptLimits, path: findPath(branches) })
  return newest.messages.filter((one) => one.turn === turn || one.turn < (replaces?.turn ?? turn))
}

/** Which question is answered, and how. @throws RunNotFound when the run does not wait for it */
function findDecision(run: Run, { runId, callId, approved }: ApiCall<'runs.answer'>['body']) {
  const index = run.pending.findIndex((call) => call.callId === callId)
  const request = run.pending[index]
  const notFound = new RunNotFound(`run ${runId} does not wait for an answer to ${callId}`)
  if (run.status !== 'waiting' || run.runId !== runId || !request) throw notFound
  // a yes that comes a day late was given to a question that nobody remembers: it counts as a no
  const hasExpired = Date.now() - request.askedAtMs > approvalLapsesAfterMs
  const decision = approved && !hasExpired ? 'approved' : 'denied'
  // the same once more is the repeat of one that was cut before the run went on
  if (request.decision !== undefined && request.decision !== decision) throw notFound
  return { index, decision } as const
}

/**
 * Takes the user's answer to a call that waits for approval. With the last answer the reply goes on, in this invocation and as
 * this request's own answer; before that the answer tells that it still waits.
 * @throws RunNotFound, RunChanged when two answers meet, TooManyReplies, TokensUsedUp, SiteTokensUsedUp
 */
export async function submitDecision(
  call: ApiCall<'runs.answer'>,
  { stores, reservation, streams, ...deps }: SubmitDecisionDeps,
) {
  const { sub } = call.user
  const { sessionId } = call.params
  const [found] = await waitForAll([stores.runs.find(sub, sessionId), reservation.admit()])
  if (!found) throw new RunNotFound(`no run in ${sessionId}`)
  const { index, decision } = findDecision(found, call.body)
  const edited = decision === 'approved' ? JSON.stringify(call.body.arguments) : undefined
  if (edited !== undefined && isTooLong({ arguments: edited }))
    throw new BadRequest('This is too long to be sent. Please shorten it.')
  const [run, history, user] = await waitForAll([
    stores.runs.decide(found, index, {
      decision,
      decidedAtMs: Date.now(),
      ...(edited !== undefined && { arguments: edited }),
    }),
    loadHistory(stores, found),
    loadUserContext(deps, sub),
  ])
  if (run.pending.some((request) => request.decision === undefined))
    return respondFollowing(call, { stores, streams }, run)

  const { transcript } = run
  const events = new ReplyLog(transcript?.position ?? 0)
  const progress: Progress = {
    content: transcript?.content ?? '',
    toolCalls: transcript?.toolCalls ?? [],
    attachments: transcript?.attachments ?? [],
    notices: [],
    rounds: (transcript?.messages ?? []) as unknown as ModelMessage[],
    inputTokens: 0,
    outputTokens: 0,
  }
  const context = {
    sub,
    user,
    history,
    hints: {},
    isSaved: run.kept,
    progress,
    events,
    spending: reservation,
  }
  if (call.body.always && decision === 'approved') await allowTool(deps, context, run.pending[index])
  // the last step that can fail: what was cut before it still waits, and can be answered again
  const resumed = await stores.runs.resume(run, Date.now())
  const input = buildReplyInput(call, deps, context)
  const ended = runReply(stores, resumed, { ...input, decidedCalls: run.pending })
  return respondLive(call, events, reservation.settleAfter(ended))
}

/** 'Always allow': the tool as it was when the question was asked, no other. */
async function allowTool(
  { toolBox }: Pick<ReplyDeps, 'toolBox'>,
  context: Parameters<typeof loadUserTools>[1],
  request: PendingCall | undefined,
) {
  const { tools } = await loadUserTools({ toolBox }, context)
  const tool = tools.find(({ name }) => name === request?.tool)
  if (tool && fingerprintOf(tool) === request?.fingerprint) await toolBox.allow(context.sub, tool)
}
