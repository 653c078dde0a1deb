import type { RunView } from '#shared/contracts/runs.ts'
import type { RunOutcome } from './schedule-repository.ts'

/** How a run ended, or waits for its owner. */
export type RunEnd = Pick<RunOutcome, 'status' | 'because'> | 'running'

/** How a run of the chat stands. */
export interface ChatRunState extends Pick<RunView, 'status'> {
  errorCode?: { code: string } | undefined
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
      return { status: 'failed', because: errorCode?.code ?? status }
    default:
      status satisfies never
      return { status: 'failed' }
  }
}
