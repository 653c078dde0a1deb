import type { RunView } from '#shared/contracts/runs.ts'
import type { RunOutcome } from './schedule-repository.ts'

/** How a run ended, or waits for its owner. */
export type RunEnd = Pick<RunOutcome, 'status' | 'because'> | 'running'

/** An error's code, as a sentence or the row of a run has it. */
interface ErrorCode {
  readonly code: string
  readonly params?: Readonly<Record<string, unknown>> | undefined
}

/** How a run of the chat stands. */
export interface ChatRunState extends Pick<RunView, 'status'> {
  errorCode?: ErrorCode | undefined
}

/** Why a run was refused or failed: the code of its error, and of a budget which one. */
export function toReason({ code, params }: ErrorCode): string {
  const reason = params?.['reason']
  return code === 'budget' && typeof reason === 'string' ? `${code}.${reason}` : code
}

/** Maps the status of a run of the chat to that of the schedule’s run. */
export function toRunEnd({ status, errorCode }: ChatRunState): RunEnd {
  switch (status) {
    case 'running':
      return 'running'
    case 'waiting':
      return { status: 'waiting' }
    case 'done':
    // its owner has stopped it
    case 'stopped':
      return { status: 'done' }
    case 'failed':
    case 'incomplete':
    case 'interrupted':
      return { status: 'failed', because: errorCode ? toReason(errorCode) : status }
    default:
      status satisfies never
      return { status: 'failed' }
  }
}
