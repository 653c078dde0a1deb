import type { ReactNode } from 'react'
import type { UsageTotals } from '#shared/contracts/usage.ts'
import { Dialog } from './ui/dialog.tsx'
import { CostExclusions, UsageDetails } from './usage-details.tsx'

interface UsageDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  usage: UsageTotals
  /** where the focus moves on close; by default, where it came from */
  findFocusTarget?: () => HTMLElement | null
  /** notes below the numbers */
  children?: ReactNode
}

/** What a reply or a conversation used. */
export function UsageDialog({ usage, children, ...dialog }: UsageDialogProps) {
  return (
    <Dialog {...dialog}>
      <UsageDetails usage={usage} />
      <CostExclusions usage={usage} />
      {children && <p className="mt-3 text-sm text-ink-muted">{children}</p>}
    </Dialog>
  )
}
