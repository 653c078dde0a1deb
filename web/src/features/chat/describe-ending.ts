import { t } from '@lingui/core/macro'
import type { Message } from '#shared/contracts/messages.ts'

/** Says why a reply is unfinished, in one sentence. What only a newer server knows gets the general sentence. */
export function describeEnding({
  ended,
  incomplete_reason,
}: Pick<Message, 'incomplete_reason'> & { ended: NonNullable<Message['ended']> }): string {
  switch (ended) {
    case 'stopped':
      return t`Generation stopped by user.`
    case 'incomplete':
      return describeIncomplete(incomplete_reason)
    case 'interrupted':
      return t`This reply was interrupted.`
    case 'failed':
      return t`The reply was cut off.`
    default:
      ended satisfies never
      return t`This reply is not complete.`
  }
}

function describeIncomplete(reason: Message['incomplete_reason']): string {
  switch (reason) {
    case 'length':
      return t`This reply is not complete: it reached its length limit.`
    case 'time':
      return t`This reply is not complete: it took too long.`
    case 'budget':
      return t`This reply is not complete: a usage limit was reached.`
    case 'filter':
      return t`This reply is not complete: the model’s server withheld the rest.`
    default:
      return t`This reply is not complete.`
  }
}
