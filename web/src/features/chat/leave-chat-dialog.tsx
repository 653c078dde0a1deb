import { t } from '@lingui/core/macro'
import { LeaveDialog } from '../../components/leave-dialog.tsx'

/** Confirms leaving a temporary chat. */
export const LeaveChatDialog = ({ onClose, onLeave }: { onClose: () => void; onLeave: () => void }) => (
  <LeaveDialog
    guard={{ isAsking: true, leave: onLeave, stay: onClose }}
    title={t`Leave this temporary chat?`}
    leaveLabel={t`Leave`}
    stayLabel={t`Stay`}
  >
    {t`It isn’t saved. If you leave, its messages are lost.`}
  </LeaveDialog>
)
