/* What a decision is wherever it is made: on a request's card in its chat, or in its row of "Waiting for you". Both show it while either sends it. */
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { lapsesAfterMs } from '#shared/limits.ts'
import { isNotFound } from '../../../lib/api/api-errors.ts'
import { hasErrorCode } from '../../../lib/api/has-error-code.ts'
import type { DecisionActivity } from '../../../lib/actions/running-actions.ts'
import { serverNow } from '../../../lib/browser/server-clock.ts'
import type { ApprovalDecision } from '../stream/chat-api.ts'

/** How long a request stays open, in milliseconds. */
export const getOpenMs = ({ asked_at, lapses_at, kind }: ApprovalRequest): number =>
  lapses_at === undefined ? lapsesAfterMs(kind) : Date.parse(lapses_at) - Date.parse(asked_at)

/** Whether a request can no longer be approved, by the server's clock. */
export const isExpired = (request: ApprovalRequest): boolean =>
  serverNow() - Date.parse(request.asked_at) > getOpenMs(request)

/**
 * Whether a decision approves a request that has expired, and must not be sent: the service would take it as a denial, without saying so. A
 * task has the time that its server gives it.
 */
export const isLateApproval = (
  request: ApprovalRequest,
  { approved }: Pick<ApprovalDecision, 'approved'>,
): boolean => approved && request.kind !== 'task' && isExpired(request)

/** Thrown for an approval that is late. */
export class TooLateError extends Error {
  override readonly name = 'TooLateError'
}

/** Whether the request no longer waits: it was decided in another tab, stopped, deleted, or has expired. */
export const isTooLate = (error: unknown): boolean =>
  error instanceof TooLateError || isNotFound(error) || hasErrorCode(error, 'run_changed')

/** The name by which every view of the request shows a decision that is being sent. */
export function describeDecision({
  approved,
  always,
}: Pick<ApprovalDecision, 'approved' | 'always'>): DecisionActivity {
  if (!approved) return 'denied'
  return always ? 'always' : 'approved'
}
