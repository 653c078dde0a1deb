import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import * as texts from './texts.tsx'

/** Confirms leaving a temporary chat. */
export function LeaveChatDialog({ onClose, onLeave }: { onClose: () => void; onLeave: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={texts.leaveTitle}
      footer={
        <>
          <Button variant="ghost" onClick={onLeave}>
            {texts.leave}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {texts.stay}
          </Button>
        </>
      }
    >
      <p className="text-ink-muted">{texts.leaveHint}</p>
    </Dialog>
  )
}
