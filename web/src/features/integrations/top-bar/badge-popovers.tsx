import { t } from '@lingui/core/macro'
import { useState, useEffect, useRef, type ReactNode, useId } from 'react'
import type { Connection } from '#shared/contracts/integrations.ts'
import { StatusIcon, type StatusVariant } from '../../../components/ui/status-icon.tsx'
import {
  getConnectionName,
  getStatusVariant,
  getStatusLabel,
  requiresAttention,
  formatExpiry,
} from '../state/connection-status.ts'
import { Popover, PopoverAnchor, PopoverContent } from '../../../components/ui/popover.tsx'
import { isFocusLost } from '../../../lib/input/focus-targets.ts'
import { ExternalLink, Shield, Unplug, TriangleAlert } from 'lucide-react'
import { Badge, type BadgeVariant } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { useBrand } from '../../../lib/api/config.ts'
import { IntegrationTile } from '../components/integration-tile.tsx'
import { useConnectionActivity } from '../connect/connection-activity.ts'
import { describeDisconnect, useDisconnect } from '../connect/use-disconnect.ts'
import { formatConnected, formatMoment } from '../state/date-labels.ts'
import { Trans } from '@lingui/react/macro'
import { Link } from '../../../lib/navigation/router.tsx'
import { describeReconnectReason } from '#shared/reconnect-reason.ts'
import { isExpired } from '#shared/token-status.ts'
import { translateSentence } from '../../../lib/text/translate.ts'
import { useToolsAllowed } from '../../../lib/account/account-queries.ts'
import { integrationsPath } from '../../../lib/navigation/paths.ts'

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

/** The props of `AnchoredPopover`. */
interface AnchoredPopoverProps {
  label: string
  /** the button that opens and closes it */
  button: HTMLElement
  open: boolean
  onOpenChange: (open: boolean) => void
  children: ReactNode
}

/** A popover anchored to an external button, to which the focus returns. */
function AnchoredPopover({ label, button, open, onOpenChange, children }: AnchoredPopoverProps) {
  const anchor = useRef(button)
  /** whether a click outside has moved the focus */
  const wasPressedOutside = useRef(false)
  useEffect(() => {
    anchor.current = button
    if (open) wasPressedOutside.current = false
  }, [button, open])
  return (
    <Popover open={open} onOpenChange={onOpenChange}>
      <PopoverAnchor virtualRef={anchor} />
      <PopoverContent
        aria-label={label}
        onInteractOutside={(event) => {
          // the button toggles the popover itself: closing it here, too, would open it again
          if (event.target instanceof Node && button.contains(event.target)) event.preventDefault()
          else wasPressedOutside.current = true
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          // the focus may have moved already, e.g. to another badge
          if (isFocusLost() && !wasPressedOutside.current && button.isConnected) button.focus()
        }}
      >
        {children}
      </PopoverContent>
    </Popover>
  )
}

const badgeVariants: Record<StatusVariant, BadgeVariant> = {
  ok: 'success',
  warn: 'warning',
  bad: 'danger',
  off: 'quiet',
}

/** The details and actions of a connection, in its popover. */
function ConnectionDetails({
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

/** Why a connection does not work, or soon will not, and what helps. */
function AttentionNote({ connection, now }: { connection: Connection; now: Date }) {
  return (
    <div className="mx-4 mb-4 flex gap-2 rounded-sm bg-warning-soft px-3 py-2.5 text-sm">
      <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
      <div>
        <p className="font-medium text-warning-ink">{t`Requires attention`}</p>
        <p>
          <AttentionReason connection={connection} now={now} />
        </p>
      </div>
    </div>
  )
}

function AttentionReason({ connection, now }: { connection: Connection; now: Date }) {
  const { assistantName } = useBrand()
  if (useToolsAllowed() === 'none') return t`Your administrator does not allow it.`
  const reconnect = (
    <Link to={integrationsPath} className="link font-medium">
      {t`Reconnect`}
    </Link>
  )
  if (connection.reconnect)
    return (
      <>
        {translateSentence(describeReconnectReason(connection.mcp_name, connection.reconnect))} {reconnect}
      </>
    )
  if (connection.token_status === 'invalid')
    return (
      <Trans>
        {assistantName} lost access. {reconnect} to continue.
      </Trans>
    )
  const expiry = describeExpiry(connection, now)
  return connection.refreshable ? (
    <Trans>
      {expiry} {assistantName} renews it automatically; if that fails, {reconnect}.
    </Trans>
  ) : (
    <Trans>
      {expiry} {reconnect} to continue.
    </Trans>
  )
}

/** 'Expires in 4h.', or that the access has expired, or has to be renewed at a time that the page does not know. */
function describeExpiry({ expires_at: expiresAt, token_status: status }: Connection, now: Date): string {
  if (status === 'expired' || isExpired(expiresAt, now, 0)) return t`Access has expired.`
  const label = formatExpiry(expiresAt, now)
  return label === undefined ? t`Access needs to be renewed.` : t`${{ expiry: label }}.`
}

/** The look of an action in the popover of a connection. */
const actionClass =
  'flex h-9 w-full items-center gap-2.5 rounded-sm px-2.5 text-start hover:bg-surface-hover max-sm:h-11'

/** A button in the popover of a connection. */
function PopoverAction({
  icon,
  isDestructive = false,
  disabled = false,
  onClick,
  children,
}: {
  icon: ReactNode
  isDestructive?: boolean
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onClick}
      className={`${actionClass} disabled:cursor-not-allowed disabled:opacity-60 ${isDestructive ? 'text-danger-ink' : 'text-ink [&>svg.lucide]:text-ink-faint'}`}
    >
      {icon}
      {children}
    </button>
  )
}
