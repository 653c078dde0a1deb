import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { BackupCodes } from './backup-codes.tsx'

/** New backup codes, shown once. */
export function CodesDialog({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onDone()}
      title="Save your new backup codes"
      description="The old ones no longer work."
      footer={
        <Button tone="primary" onClick={onDone}>
          Continue to Settings
        </Button>
      }
    >
      <BackupCodes codes={codes} />
    </Dialog>
  )
}
