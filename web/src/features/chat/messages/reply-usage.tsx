import { ChartNoAxesColumn } from 'lucide-react'
import { useState } from 'react'
import type { Usage } from '#shared/contracts/chat.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import * as usageTexts from '../../../components/usage-texts.ts'

const { Component: UsageDialog } = lazyComponent(
  () => import('../../../components/usage-dialog.tsx').then((module) => module.UsageDialog),
  null,
)

/** A button that shows the tokens and the cost of a reply. */
export function ReplyUsage({ usage }: { usage: Usage }) {
  const [open, setOpen] = useState<boolean>()
  return (
    <>
      <IconButton
        size="sm"
        label={usageTexts.replyUsage}
        aria-haspopup="dialog"
        icon={<ChartNoAxesColumn size={16} />}
        onClick={() => setOpen(true)}
      />
      {open !== undefined && (
        <UsageDialog open={open} onOpenChange={setOpen} title={usageTexts.replyUsage} usage={usage}>
          {usage.estimated && usageTexts.estimated}
        </UsageDialog>
      )}
    </>
  )
}
