import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { HelpCircle, KeyRound, Laptop, LockOpen, Tag } from 'lucide-react'
import type { AuthType } from '#shared/contracts/connection-kinds.ts'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { useBrand } from '../../../lib/api/config.ts'
import { StatusIcon, type StatusVariant } from '../../../components/ui/status-icon.tsx'
import type { ConnectionActivity } from '../connect/connection-activity.ts'

/** The publisher in one line; in full on hover and while the card has keyboard focus. */
export function Namespace({ name }: { name: string }) {
  return (
    <p
      className="truncate text-sm text-ink-muted group-has-focus-visible:overflow-visible group-has-focus-visible:wrap-anywhere group-has-focus-visible:whitespace-normal"
      title={t`Published by ${{ publisher: name }}`}
    >
      {name}
    </p>
  )
}

const variantClasses: Record<StatusVariant, string> = {
  ok: 'text-success-ink',
  warn: 'text-warning-ink',
  bad: 'text-danger-ink',
  off: 'text-ink-muted',
}

/** The status of a connection, or the progress while it is being connected. */
export function CardStatus({
  variant,
  text,
  activity,
}: {
  variant: StatusVariant
  text: string
  activity: ConnectionActivity | undefined
}) {
  const isConnecting = activity === 'connecting'
  return (
    <>
      {/* always there, or screen readers would not notice its text */}
      <div role="status">
        {isConnecting && (
          <p className="flex h-5 items-center gap-1.5 text-sm text-ink-muted">
            <Spinner size={12} />
            {t`Connecting…`}
          </p>
        )}
      </div>
      {!isConnecting && (
        <p className={clsx('flex min-h-5 items-center gap-1.5 text-sm', variantClasses[variant])}>
          <StatusIcon variant={variant} />
          <span>{text}</span>
        </p>
      )}
    </>
  )
}

/** Explains why the entry cannot be connected. */
export function LocalServerNote() {
  const { assistantName } = useBrand()
  return (
    <p className="text-ink-muted">{t`Runs on your own computer; ${assistantName} can use servers with a web address.`}</p>
  )
}

/** Stands in place of `AuthTypeBadge` on the card of a server that cannot be connected. */
export function LocalServerBadge() {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 whitespace-nowrap">
      <Laptop aria-hidden size={14} className="shrink-0" />
      <span className="truncate">{t`Runs locally`}</span>
    </span>
  )
}

const authIcons: Record<AuthType, typeof KeyRound> = {
  oauth2: KeyRound,
  api_key: Tag,
  none: LockOpen,
  unknown: HelpCircle,
}

/** How an integration signs in, as an icon with its label. */
export function AuthTypeBadge({ authType, label }: { authType: AuthType; label: string }) {
  const Icon = authIcons[authType]
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon aria-hidden size={14} className="shrink-0 text-ink-faint" />
      {label}
    </span>
  )
}
