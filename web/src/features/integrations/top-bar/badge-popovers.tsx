import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Connection } from '#shared/contracts/integrations.ts'
import { StatusIcon } from '../../../components/ui/status-icon.tsx'
import { getConnectionName, getStatusVariant } from '../state/connection-status.ts'
import { AnchoredPopover, type AnchoredPopoverProps } from './anchored-popover.tsx'
import { ConnectionDetails } from './connection-details.tsx'
import { PopoverAction } from './popover-action.tsx'

interface PopoverProps extends Pick<AnchoredPopoverProps, 'button' | 'open' | 'onOpenChange'> {
  now: Date
}

/** The details and actions of one integration. */
export function BadgePopover({ connection, now, ...popover }: { connection: Connection } & PopoverProps) {
  return (
    <AnchoredPopover label={getConnectionName(connection)} {...popover}>
      <ConnectionDetails connection={connection} now={now} onClose={() => popover.onOpenChange(false)} />
    </AnchoredPopover>
  )
}

/** The integrations without a badge: a list, each item opens its details. */
export function MorePopover({
  connections,
  now,
  ...popover
}: { connections: readonly Connection[] } & PopoverProps) {
  const [selectedId, setSelectedId] = useState<string>()
  if (!popover.open && selectedId !== undefined) setSelectedId(undefined)
  const selectedConnection = connections.find(({ id }) => id === selectedId)
  return (
    <AnchoredPopover
      label={selectedConnection ? getConnectionName(selectedConnection) : t`More integrations`}
      {...popover}
    >
      {selectedConnection ? (
        <ConnectionDetails
          connection={selectedConnection}
          now={now}
          onClose={() => popover.onOpenChange(false)}
        />
      ) : (
        <ul className="max-h-80 overflow-y-auto p-1.5 scroll-quiet">
          {connections.map((connection) => (
            <li key={connection.id}>
              <PopoverAction
                icon={<StatusIcon variant={getStatusVariant(connection, now)} />}
                onClick={() => setSelectedId(connection.id)}
              >
                <span dir="auto" className="truncate">
                  {getConnectionName(connection)}
                </span>
              </PopoverAction>
            </li>
          ))}
        </ul>
      )}
    </AnchoredPopover>
  )
}
