import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import type { ApprovalCardProps } from './card-frame.tsx'

type Pending = Pick<ApprovalCardProps, 'pendingDecision'>

/** The button that approves the request, busy while that is being sent. */
export function ApproveButton({
  pendingDecision,
  isIncomplete,
  onApprove,
}: Pending & {
  /** whether what would be sent lacks something */
  isIncomplete: boolean
  onApprove: () => void
}) {
  const isApproving = pendingDecision === 'approved'
  return (
    <Button
      variant="primary"
      busy={isApproving}
      disabled={isIncomplete || (pendingDecision !== undefined && !isApproving)}
      onClick={onApprove}
      className="max-sm:flex-[3_1_50%]"
    >
      {isApproving ? t`Approving…` : t`Approve`}
    </Button>
  )
}

/** The button that declines the request, busy while that is being sent. */
export function DenyButton({
  pendingDecision,
  onDecide,
  variant = 'outline',
  className,
  children,
}: Pending &
  Pick<ApprovalCardProps, 'onDecide'> & {
    variant?: 'outline' | 'ghost'
    className?: string
    children: ReactNode
  }) {
  const isDenying = pendingDecision === 'denied'
  return (
    <Button
      variant={variant}
      busy={isDenying}
      disabled={pendingDecision !== undefined && !isDenying}
      onClick={() => onDecide({ approved: false })}
      className={className}
    >
      {children}
    </Button>
  )
}
