import { approvalLapsesAfterMs } from '#shared/limits.ts'
import type { ApiCall } from '../platform/http/api-function.ts'
import { BadRequest } from '../platform/errors.ts'
import type { OpenSlots } from '../platform/dynamodb/open-slots.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { RunNotFound } from '../runs/errors.ts'
import { findPath } from '../runs/branches.ts'
import { context } from '../runs/load-turn.ts'
import { ReplyLog } from '../runs/reply-log.ts'
import type { PendingCall, Run } from '../runs/run.ts'
import type { Stores } from '../conversations/stores.ts'
import { fingerprintTool } from '../tools/tool.ts'
import { followedAnswer, liveAnswer } from './response/reply-response.ts'
import type { Progress } from './progress.ts'
import type { ModelMessage } from './model/model.ts'
import type { Reservation } from './reply-budget.ts'
import { loadUserTools, readUser, replyInput, type ReplyMeans } from './reply-input.ts'
import { isTooLong } from './tools/run-tool.ts'
import { runReply } from './run-reply.ts'

interface Means extends ReplyMeans {
  stores: Stores
  reservation: Reservation
  streams: OpenSlots
}

/** What was said up to the run's message: stored, or in the run itself. */
async function saidBefore(
  { messages }: Stores,
  { sub, sessionId, turn, replaces, branches, transcript }: Run,
) {
  if (transcript?.said) return transcript.said
  const newest = await messages.newest(sub, sessionId, { ...context, path: findPath(branches) })
  return newest.messages.filter((one) => one.turn === turn || one.turn < (replaces?.turn ?? turn))
}

/** Which question is answered, and how. @throws RunNotFound when the run does not wait for it */
function answerTo(run: Run, { runId, callId, approved }: ApiCall<'runs.answer'>['body']) {
  const index = run.pending.findIndex((call) => call.callId === callId)
  const question = run.pending[index]
  const refusal = new RunNotFound(`run ${runId} does not wait for an answer to ${callId}`)
  if (run.status !== 'waiting' || run.runId !== runId || !question) throw refusal
  // a yes that comes a day late was given to a question that nobody remembers: it counts as a no
  const lapsed = Date.now() - question.askedAtMs > approvalLapsesAfterMs
  const decision = approved && !lapsed ? 'approved' : 'denied'
  // the same once more is the repeat of one that was cut before the run went on
  if (question.decision !== undefined && question.decision !== decision) throw refusal
  return { index, decision } as const
}

/**
 * Takes the user's answer to a call that waits for approval. With the last answer the reply goes on, in this invocation and as
 * this request's own answer; before that the answer tells that it still waits.
 * @throws RunNotFound, RunChanged when two answers meet, TooManyReplies, TokensUsedUp, SiteTokensUsedUp
 */
export async function answerRun(
  call: ApiCall<'runs.answer'>,
  { stores, reservation, streams, ...means }: Means,
) {
  const { sub } = call.user
  const { sessionId } = call.params
  const [found] = await waitForAll([stores.runs.find(sub, sessionId), reservation.admit()])
  if (!found) throw new RunNotFound(`no run in ${sessionId}`)
  const { index, decision } = answerTo(found, call.body)
  const edited = decision === 'approved' ? JSON.stringify(call.body.arguments) : undefined
  if (edited !== undefined && isTooLong({ arguments: edited }))
    throw new BadRequest('This is too long to be sent. Please shorten it.')
  const [run, said, user] = await waitForAll([
    stores.runs.decide(found, index, {
      decision,
      decidedAtMs: Date.now(),
      ...(edited !== undefined && { arguments: edited }),
    }),
    saidBefore(stores, found),
    readUser(means, sub),
  ])
  if (run.pending.some((question) => question.decision === undefined))
    return followedAnswer(call, { stores, streams }, run)

  const { transcript } = run
  const reply = new ReplyLog(transcript?.position ?? 0)
  const progress: Progress = {
    content: transcript?.content ?? '',
    toolCalls: transcript?.toolCalls ?? [],
    attachments: transcript?.attachments ?? [],
    notices: [],
    rounds: (transcript?.messages ?? []) as unknown as ModelMessage[],
    inputTokens: 0,
    outputTokens: 0,
  }
  const to = {
    sub,
    user,
    said,
    hints: {},
    kept: run.kept,
    progress,
    reply,
    spending: reservation,
  }
  if (call.body.always && decision === 'approved') await allow(means, to, run.pending[index])
  // the last step that can fail: what was cut before it still waits, and can be answered again
  const resumed = await stores.runs.resume(run, Date.now())
  const input = replyInput(call, means, to)
  const ended = runReply(stores, resumed, { ...input, decided: run.pending })
  return liveAnswer(call, reply, reservation.until(ended))
}

/** 'Always allow': the tool as it was when the question was asked, no other. */
async function allow(
  { toolBox }: Pick<ReplyMeans, 'toolBox'>,
  to: Parameters<typeof loadUserTools>[1],
  question: PendingCall | undefined,
) {
  const { tools } = await loadUserTools({ toolBox }, to)
  const tool = tools.find(({ name }) => name === question?.tool)
  if (tool && fingerprintTool(tool) === question?.fingerprint) await toolBox.allow(to.sub, tool)
}
