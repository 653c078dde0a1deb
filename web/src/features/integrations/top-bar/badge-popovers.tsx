import { useQueryClient } from '@tanstack/react-query'
import { ExternalLink, Shield, TriangleAlert, Unplug } from 'lucide-react'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Integration } from '#shared/contracts/integrations.ts'
import { reconnectSentence } from '#shared/reconnect-reason.ts'
import { expiryText } from '#shared/token-status.ts'
import { Badge, type BadgeTone } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Popover, PopoverAnchor, PopoverContent } from '../../../components/ui/popover.tsx'
import { useBrand } from '../../../lib/config.ts'
import { dotTone, requiresAttention, statusWords } from '../state/connection-status.ts'
import { integrationsChanged } from '../state/integrations-query.ts'
import { IntegrationTile } from '../components/integration-tile.tsx'
import { StatusGlyph, type StatusTone } from '../components/status-icon.tsx'
import { connectedLabel } from '../state/date-labels.ts'
import { disconnectConsequence, disconnectIntegration } from '../connect/use-connections.ts'

interface Opening {
  now: Date
  /** the button beside which it opens, and which opens and closes it */
  button: HTMLElement
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** TOP-11 */
export function BadgePopover({ row, now, ...opening }: { row: Integration } & Opening) {
  return (
    <AnchoredPopover label={row.mcp_name} {...opening}>
      <Details row={row} now={now} onClose={() => opening.onOpenChange(false)} />
    </AnchoredPopover>
  )
}

/** The ones without a badge of their own: a list, each opening to the same details. */
export function MorePopover({ rows, now, ...opening }: { rows: readonly Integration[] } & Opening) {
  const [chosenId, setChosenId] = useState<string>()
  if (!opening.open && chosenId !== undefined) setChosenId(undefined)
  const chosen = rows.find(({ id }) => id === chosenId)
  return (
    <AnchoredPopover label={chosen?.mcp_name ?? 'More integrations'} {...opening}>
      {chosen ? (
        <Details row={chosen} now={now} onClose={() => opening.onOpenChange(false)} />
      ) : (
        <ul className="max-h-80 overflow-y-auto p-1.5 scroll-quiet">
          {rows.map((row) => (
            <li key={row.id}>
              <Action icon={<StatusGlyph tone={dotTone(row, now)} />} onClick={() => setChosenId(row.id)}>
                <span className="truncate">{row.mcp_name}</span>
              </Action>
            </li>
          ))}
        </ul>
      )}
    </AnchoredPopover>
  )
}

/** A popover beside a button that is not its own part; the focus returns to that button. */
function AnchoredPopover({
  label,
  button,
  open,
  onOpenChange,
  children,
}: Omit<Opening, 'now'> & { label: string; children: ReactNode }) {
  const anchor = useRef(button)
  /** the focus belongs to what was pressed outside */
  const pressedOutside = useRef(false)
  useEffect(() => {
    anchor.current = button
    if (open) pressedOutside.current = false
  }, [button, open])
  return (
    <Popover open={open} onOpenChange={onOpenChange}>
      <PopoverAnchor virtualRef={anchor} />
      <PopoverContent
        aria-label={label}
        onInteractOutside={(event) => {
          // the button closes it by itself, and a press on it would open it again
          if (event.target instanceof Node && button.contains(event.target)) event.preventDefault()
          else pressedOutside.current = true
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          // what was pressed while it closed, another badge perhaps, has the focus already
          const isFree = document.activeElement === null || document.activeElement === document.body
          if (isFree && !pressedOutside.current && button.isConnected) button.focus()
        }}
      >
        {children}
      </PopoverContent>
    </Popover>
  )
}

const badgeTones: Record<StatusTone, BadgeTone> = {
  ok: 'success',
  warn: 'warning',
  bad: 'danger',
  off: 'quiet',
}

/** TOP-12 to TOP-18 */
function Details({ row, now, onClose }: { row: Integration; now: Date; onClose: () => void }) {
  const queryClient = useQueryClient()
  const tone = dotTone(row, now)
  const { assistantName } = useBrand()
  const [confirming, setConfirming] = useState(false)
  const disconnect = async () => {
    onClose()
    await disconnectIntegration(row.mcp_id)
    await integrationsChanged(queryClient)
  }
  return (
    <>
      <div className="grid grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-3 px-4 pt-4 pb-3">
        <IntegrationTile name={row.mcp_name} className="row-span-2" />
        <p className="truncate text-base/[22px] font-semibold tracking-[-0.008em]" title={row.mcp_name}>
          {row.mcp_name}
        </p>
        <Badge tone={badgeTones[tone]}>
          <StatusGlyph tone={tone} />
          {statusWords(row, now)}
        </Badge>
        {row.namespace !== undefined && (
          <p className="col-span-2 text-sm wrap-anywhere text-ink-muted">{row.namespace}</p>
        )}
        <p className="col-span-2 col-start-2 text-sm text-ink-muted" title={row.connected_at}>
          {connectedLabel(row.connected_at)}
          {row.settings.environment === 'sandbox' && ' · Sandbox'}
        </p>
      </div>
      {requiresAttention(row, now) && <Attention row={row} now={now} />}
      {confirming ? (
        <ConfirmDisconnect
          name={row.mcp_name}
          consequence={disconnectConsequence(row.mcp_name, assistantName)}
          onCancel={() => setConfirming(false)}
          onConfirm={() => void disconnect()}
        />
      ) : (
        <div className="border-t border-line p-1.5">
          <Action icon={<Shield aria-hidden size={16} />} onClick={onClose}>
            Manage Permissions
          </Action>
          <OpenService url={row.open_url} />
          <Action danger icon={<Unplug aria-hidden size={16} />} onClick={() => setConfirming(true)}>
            Disconnect
          </Action>
        </div>
      )}
    </>
  )
}

/** Asks in the popover itself, and puts the focus on the answer that changes nothing. */
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
          Disconnect {name}?
        </p>
        <p className="mt-0.5 text-sm text-ink-muted">{consequence}</p>
      </div>
      <div className="flex justify-end gap-2">
        <Button ref={cancel} tone="ghost" size="sm" onClick={onCancel}>
          Cancel
        </Button>
        <Button tone="danger-solid" size="sm" onClick={onConfirm}>
          Disconnect
        </Button>
      </div>
    </div>
  )
}

/** TOP-15, DEC-053 */
function Attention({ row, now }: { row: Integration; now: Date }) {
  const { assistantName } = useBrand()
  const ends = expiryText(row.expires_at, now)
  const reconnect = (
    <Link to="/integrations" className="link font-medium">
      Reconnect
    </Link>
  )
  return (
    <div className="mx-4 mb-4 flex gap-2 rounded-sm bg-warning-soft px-3 py-2.5 text-sm">
      <TriangleAlert aria-hidden size={16} className="mt-0.5 shrink-0 text-warning" />
      <div>
        <p className="font-medium text-warning-ink">Requires attention</p>
        <p>
          {row.reconnect ? (
            <>
              {reconnectSentence(row.mcp_name, row.reconnect)} {reconnect}
            </>
          ) : row.token_status === 'invalid' ? (
            <>
              {assistantName} cannot get in any more. {reconnect} to go on.
            </>
          ) : row.refreshable ? (
            <>
              {ends === undefined || ends === 'Expired' ? 'Access has ended. ' : `${ends}. `}
              {assistantName} renews it by itself; if that fails, {reconnect}.
            </>
          ) : (
            <>
              {ends === undefined || ends === 'Expired' ? 'Access has ended. ' : `${ends}. `}
              {reconnect} to go on.
            </>
          )}
        </p>
      </div>
    </div>
  )
}

const actionClass =
  'flex h-9 w-full items-center gap-2.5 rounded-sm px-2.5 text-left hover:bg-surface-hover max-sm:h-11'

function Action({
  icon,
  danger = false,
  onClick,
  children,
}: {
  icon: ReactNode
  danger?: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      onClick={onClick}
      className={`${actionClass} ${danger ? 'text-danger-ink' : 'text-ink [&>svg.lucide]:text-ink-faint'}`}
    >
      {icon}
      {children}
    </button>
  )
}

/** TOP-17, DEC-097 */
function OpenService({ url }: { url: string | null }) {
  const icon = <ExternalLink aria-hidden size={16} className="text-ink-faint" />
  if (url === null || !url.startsWith('https://'))
    return (
      <button type="button" disabled className={`${actionClass} cursor-not-allowed text-ink-disabled`}>
        {icon}
        Open Service
      </button>
    )
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={actionClass}>
      {icon}
      Open Service
    </a>
  )
}
