import { t } from '@lingui/core/macro'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { useBrand } from '../../../lib/api/config.ts'
import { useLast } from '../../../lib/browser/use-last.ts'
import { describeDisconnect, useDisconnect } from '../connect/use-disconnect.ts'
import { getCardName, type CatalogueCard } from '../state/catalogue-cards.ts'

/** Asks whether an integration is disconnected. @param card undefined while nothing is asked */
export function DisconnectDialog({
  card,
  onClose,
}: {
  card: CatalogueCard | undefined
  onClose: () => void
}) {
  const { assistantName } = useBrand()
  const disconnect = useDisconnect()
  const shownCard = useLast(card)
  if (!shownCard) return null
  const name = getCardName(shownCard)
  return (
    <ActionDialog
      open={card !== undefined}
      onClose={onClose}
      title={t`Disconnect ${name}?`}
      confirmLabel={t`Disconnect`}
      isDestructive
      // closes at once: the card shows the progress, and a toast the result
      onConfirm={async () => void disconnect(shownCard.id)}
    >
      <p className="wrap-anywhere text-ink-muted">{describeDisconnect(name, assistantName)}</p>
    </ActionDialog>
  )
}
