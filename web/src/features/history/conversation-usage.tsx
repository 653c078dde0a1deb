import type { Session } from '#shared/contracts/messages.ts'
import { UsageDialog } from '../../components/usage-dialog.tsx'
import * as usageTexts from '../../components/usage-texts.ts'
import { formatDate } from '../../lib/dates.ts'

interface ConversationUsageProps {
  conversation: Session
  open: boolean
  onClose: () => void
  findFocusTarget: () => HTMLElement | null
}

/** What the replies of a conversation used together. */
export function ConversationUsage({ conversation: { usage }, onClose, ...dialog }: ConversationUsageProps) {
  if (!usage) return null
  return (
    <UsageDialog
      {...dialog}
      title={usageTexts.conversationUsage}
      usage={usage}
      onOpenChange={(open) => !open && onClose()}
    >
      {usageTexts.withVersions}{' '}
      {usage.since !== undefined && usageTexts.since(formatDate(new Date(usage.since)))}
    </UsageDialog>
  )
}
