import { t } from '@lingui/core/macro'
import { ExternalLink, Shield, Unplug } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { Connection } from '#shared/contracts/integrations.ts'
import { Badge, type BadgeVariant } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { StatusIcon, type StatusVariant } from '../../../components/ui/status-icon.tsx'
import { useBrand } from '../../../lib/api/config.ts'
import { IntegrationTile } from '../components/integration-tile.tsx'
import { useConnectionActivity } from '../connect/connection-activity.ts'
import { describeDisconnect, useDisconnect } from '../connect/use-disconnect.ts'
import {
  getConnectionName,
  getStatusLabel,
  getStatusVariant,
  requiresAttention,
} from '../state/connection-status.ts'
import { formatConnected, formatMoment } from '../state/date-labels.ts'
import { AttentionNote } from './attention-note.tsx'
import { actionClass, PopoverAction } from './popover-action.tsx'

const badgeVariants: Record<StatusVariant, BadgeVariant> = {
  ok: 'success',
  warn: 'warning',
  bad: 'danger',
  off: 'quiet',
}

/** The details and actions of a connection, in its popover. */
export function ConnectionDetails({
  connection,
  now,
  onClose,
}: {
  connection: Connection
  now: Date
  onClose: () => void
}) {
  const disconnect = useDisconnect()
  const isBusy = useConnectionActivity()(connection.mcp_id) !== undefined
  const variant = getStatusVariant(connection, now)
  const { assistantName } = useBrand()
  const [isConfirming, setIsConfirming] = useState(false)
  const name = getConnectionName(connection)
  return (
    <>
      <div className="grid grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-3 px-4 pt-4 pb-3">
        <IntegrationTile name={connection.mcp_name} className="row-span-2" />
        <p className="truncate text-base/[22px] font-semibold tracking-snug" dir="auto" title={name}>
          {name}
        </p>
        <Badge variant={badgeVariants[variant]}>
          <StatusIcon variant={variant} />
          {getStatusLabel(connection, now)}
        </Badge>
        {connection.namespace !== undefined && (
          <p className="col-span-2 text-sm wrap-anywhere text-ink-muted">{connection.namespace}</p>
        )}
        <p
          className="col-span-2 col-start-2 text-sm text-ink-muted"
          title={formatMoment(connection.connected_at)}
        >
          {formatConnected(connection.connected_at)}
        </p>
      </div>
      {requiresAttention(connection, now) && <AttentionNote connection={connection} now={now} />}
      {isConfirming ? (
        <ConfirmDisconnect
          name={name}
          consequence={describeDisconnect(name, assistantName)}
          onCancel={() => setIsConfirming(false)}
          onConfirm={() => {
            onClose()
            void disconnect(connection.mcp_id)
          }}
        />
      ) : (
        <div className="border-t border-line p-1.5">
          {/* only closes the popover, as the specification wants (TOP-16) */}
          <PopoverAction icon={<Shield aria-hidden size={16} />} onClick={onClose}>
            {t`Manage Permissions`}
          </PopoverAction>
          <OpenService url={connection.open_url} />
          <PopoverAction
            isDestructive
            disabled={isBusy}
            icon={<Unplug aria-hidden size={16} />}
            onClick={() => setIsConfirming(true)}
          >
            {t`Disconnect`}
          </PopoverAction>
        </div>
      )}
    </>
  )
}

/** Asks for confirmation in the popover, with the focus on Cancel. */
function ConfirmDisconnect({
  name,
  consequence,
  onCancel,
  onConfirm,
}: {
  name: string
  consequence: string
  onCancel: () => void
  onConfirm: () => void
}) {
  const id = useId()
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => cancel.current?.focus(), [])
  return (
    <div role="group" aria-labelledby={id} className="grid gap-3 border-t border-line p-4">
      <div>
        <p id={id} className="font-medium">
          {t`Disconnect ${name}?`}
        </p>
        <p className="mt-0.5 text-sm text-ink-muted">{consequence}</p>
      </div>
      <div className="flex justify-end gap-2">
        <Button ref={cancel} variant="ghost" size="sm" onClick={onCancel}>
          {t`Cancel`}
        </Button>
        <Button variant="danger-solid" size="sm" onClick={onConfirm}>
          {t`Disconnect`}
        </Button>
      </div>
    </div>
  )
}

function OpenService({ url }: { url: string | null }) {
  const icon = <ExternalLink aria-hidden size={16} className="text-ink-faint" />
  if (url === null || !url.startsWith('https://'))
    return (
      <button type="button" disabled className={`${actionClass} cursor-not-allowed text-ink-disabled`}>
        {icon}
        {t`Open Service`}
      </button>
    )
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={actionClass}>
      {icon}
      {t`Open Service`}
    </a>
  )
}
