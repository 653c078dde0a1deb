import type { Message } from '#shared/contracts/messages.ts'
import * as texts from './texts.tsx'

/** The quiet line below an unfinished reply. */
export function describeEnding({
  ended,
  incomplete_reason,
}: Pick<Message, 'incomplete_reason'> & { ended: NonNullable<Message['ended']> }): string {
  switch (ended) {
    case 'stopped':
      return texts.stopped
    case 'incomplete':
      return describeIncomplete(incomplete_reason)
    case 'interrupted':
      return texts.interrupted
    case 'failed':
      return texts.cutOff
  }
}

/** A reason that this page does not know is not told. */
function describeIncomplete(reason: Message['incomplete_reason']): string {
  switch (reason) {
    case 'length':
      return texts.incompleteByLength
    case 'time':
      return texts.incompleteByTime
    case 'budget':
      return texts.incompleteByBudget
    case 'filter':
      return texts.incompleteByFilter
    default:
      return texts.incomplete
  }
}
