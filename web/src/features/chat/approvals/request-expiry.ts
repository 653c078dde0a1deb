import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import { lapsesAfterMs } from '#shared/limits.ts'
import { serverNow } from '../../../lib/server-clock.ts'

/** How long a request stays open, in milliseconds. */
export const getOpenMs = ({ asked_at, lapses_at, kind }: ApprovalRequest): number =>
  lapses_at === undefined ? lapsesAfterMs(kind) : Date.parse(lapses_at) - Date.parse(asked_at)

/** Whether a request can no longer be approved, by the server's clock. */
export const isExpired = (request: ApprovalRequest): boolean =>
  serverNow() - Date.parse(request.asked_at) > getOpenMs(request)
