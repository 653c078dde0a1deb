import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'

/** Confirms leaving a temporary chat. */
export function LeaveChatDialog({ onClose, onLeave }: { onClose: () => void; onLeave: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Leave this temporary chat?"
      footer={
        <>
          <Button variant="ghost" onClick={onLeave}>
            Leave
          </Button>
          <Button variant="primary" onClick={onClose}>
            Stay
          </Button>
        </>
      }
    >
      <p className="text-ink-muted">It isn’t saved. If you leave, its messages are lost.</p>
    </Dialog>
  )
}
