import type { Attachment } from '#shared/contracts/files.ts'
import type { ErrorDetails } from '../../../lib/api/error-details.ts'
import type { Conversation } from '../state/conversation.ts'

/** The props that the rows of user messages and of replies have in common. */
export interface MessageRowProps {
  /** whether it is far from the end, and so is laid out only when it comes near the screen */
  deferLayout: boolean
  /** whether its time and actions are always visible; otherwise they are on hover, on focus and on touch screens */
  isLast: boolean
  onResend: Conversation['resend']
  onOpenImage: (image: Attachment) => void
  /** present if sending can be retried */
  onRetry?: (() => void) | undefined
  /** why it has to be retried, translated, if that is known */
  failureReason?: string | undefined
  /** of that error */
  failureDetails?: ErrorDetails | undefined
}
