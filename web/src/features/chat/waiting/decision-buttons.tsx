import { t } from '@lingui/core/macro'
import { Button } from '../../../components/ui/button.tsx'
import type { Decision } from './use-decision.ts'

/** Approve, or Review while not all of the call is shown, and Deny. */
export function DecisionButtons({
  titleId,
  isOpen,
  isFirst,
  pending,
  onReview,
  onDecide,
}: {
  /** id of the element that says what is decided */
  titleId: string
  /** whether all of the call is shown */
  isOpen: boolean
  /** whether it is the first call of the page that can be decided there */
  isFirst: boolean
  /** the decision that is being sent */
  pending: Decision | undefined
  onReview: () => void
  onDecide: (decision: Decision) => void
}) {
  return (
    <>
      {isOpen || pending === 'approved' ? (
        <Button
          variant={isOpen && isFirst ? 'primary' : 'soft'}
          size={isOpen ? 'md' : 'sm'}
          aria-describedby={titleId}
          busy={pending === 'approved'}
          disabled={pending === 'denied'}
          onClick={() => onDecide('approved')}
          className={isOpen ? 'max-sm:flex-[3_1_50%]' : 'max-sm:flex-1'}
        >
          {pending === 'approved' ? t`Approving…` : t`Approve`}
        </Button>
      ) : (
        // one line of what is sent is not enough to approve it
        <Button
          variant="soft"
          size="sm"
          aria-describedby={titleId}
          disabled={pending === 'denied'}
          onClick={onReview}
          className="max-sm:flex-1"
        >
          {t`Review`}
        </Button>
      )}
      <Button
        variant={isOpen ? 'outline' : 'ghost'}
        size={isOpen ? 'md' : 'sm'}
        aria-describedby={titleId}
        busy={pending === 'denied'}
        disabled={pending === 'approved'}
        onClick={() => onDecide('denied')}
        className={isOpen ? 'max-sm:flex-[2_1_25%]' : 'max-sm:flex-1'}
      >
        {pending === 'denied' ? t`Denying…` : t`Deny`}
      </Button>
    </>
  )
}
