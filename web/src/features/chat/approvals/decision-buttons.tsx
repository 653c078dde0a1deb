import { t } from '@lingui/core/macro'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import type { ApprovalCardProps } from './card-frame.tsx'

type Pending = Pick<ApprovalCardProps, 'pendingDecision'> &
  Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'className' | 'aria-describedby'>

/** The button that approves the request, busy while that is being sent. */
export function ApproveButton({
  pendingDecision,
  isIncomplete = false,
  onApprove,
  ...look
}: Pending & {
  /** whether what would be sent lacks something */
  isIncomplete?: boolean
  onApprove: () => void
}) {
  const isApproving = pendingDecision === 'approved'
  return (
    <Button
      variant="primary"
      className="max-sm:flex-[3_1_50%]"
      {...look}
      busy={isApproving}
      disabled={isIncomplete || (pendingDecision !== undefined && !isApproving)}
      onClick={onApprove}
    >
      {isApproving ? t`Approving…` : t`Approve`}
    </Button>
  )
}

/** The button that declines the request, busy while that is being sent. @param props.children other words than Deny */
export function DenyButton({
  pendingDecision,
  onDecide,
  children,
  ...look
}: Pending & Pick<ApprovalCardProps, 'onDecide'> & { children?: ReactNode }) {
  const isDenying = pendingDecision === 'denied'
  return (
    <Button
      {...look}
      busy={isDenying}
      disabled={pendingDecision !== undefined && !isDenying}
      onClick={() => onDecide({ approved: false })}
    >
      {children ?? (isDenying ? t`Denying…` : t`Deny`)}
    </Button>
  )
}
