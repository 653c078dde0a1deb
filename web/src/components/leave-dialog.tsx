import type { ReactNode } from 'react'
import type { useLeaveGuard } from '../lib/input/leave-guard.ts'
import { Button } from './ui/button.tsx'
import { Dialog } from './ui/dialog.tsx'

/** Asks before leaving loses something. */
export function LeaveDialog({
  guard,
  title,
  leaveLabel,
  stayLabel,
  children,
}: {
  guard: Pick<ReturnType<typeof useLeaveGuard>, 'isAsking' | 'leave' | 'stay'>
  title: string
  leaveLabel: string
  stayLabel: string
  children: ReactNode
}) {
  return (
    <Dialog
      open={guard.isAsking}
      onOpenChange={(open) => !open && guard.stay()}
      title={title}
      footer={
        <>
          <Button variant="ghost" onClick={guard.leave}>
            {leaveLabel}
          </Button>
          <Button variant="primary" data-safe onClick={guard.stay}>
            {stayLabel}
          </Button>
        </>
      }
    >
      <p className="text-ink-muted">{children}</p>
    </Dialog>
  )
}
