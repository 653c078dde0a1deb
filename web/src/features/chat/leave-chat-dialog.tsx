import { LeaveDialog } from '../../components/leave-dialog.tsx'
import * as texts from './texts.tsx'

/** Confirms leaving a temporary chat. */
export const LeaveChatDialog = ({ onClose, onLeave }: { onClose: () => void; onLeave: () => void }) => (
  <LeaveDialog
    guard={{ isAsking: true, leave: onLeave, stay: onClose }}
    title={texts.leaveTitle}
    leaveLabel={texts.leave}
    stayLabel={texts.stay}
  >
    {texts.leaveHint}
  </LeaveDialog>
)
