import { plural } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import type { Connection } from '#shared/contracts/integrations.ts'
import { getConnectionName, getStatusVariant, getStatusLabel } from '../state/connection-status.ts'
import { getNameLetters } from '../../../components/name-tile.tsx'
import { IntegrationTile } from '../components/integration-tile.tsx'
import { StatusIcon } from '../../../components/ui/status-icon.tsx'

/** A round badge with two letters and a status dot. */
export function BadgeButton({
  connection,
  now,
  ...rest
}: { connection: Connection; now: Date } & ComponentProps<'button'>) {
  return (
    <button
      aria-haspopup="dialog"
      {...rest}
      type="button"
      aria-label={`${getNameLetters(connection.mcp_name)}, ${getConnectionName(connection)}: ${getStatusLabel(connection, now)}`}
      className="group relative grid size-9 shrink-0 place-items-center rounded-full"
    >
      <IntegrationTile
        isRound
        name={connection.mcp_name}
        className="group-hover:shadow-[0_0_0_2px_var(--color-surface),0_0_0_3px_var(--color-line-control)] group-aria-expanded:shadow-[0_0_0_2px_var(--color-surface),0_0_0_3px_var(--color-line-control)]"
      />
      <StatusIcon
        variant={getStatusVariant(connection, now)}
        sizePx={11}
        className="absolute end-0.5 bottom-0.5 overflow-visible stroke-surface stroke-[4px] [paint-order:stroke] [stroke-linejoin:round]"
      />
    </button>
  )
}

/** The button that lists the integrations without a badge. */
export function MoreButton({ count, ...rest }: { count: number } & ComponentProps<'button'>) {
  return (
    <button
      aria-haspopup="dialog"
      {...rest}
      type="button"
      aria-label={plural(count, { one: '+# more integration', other: `+# more integrations` })}
      className="h-8 rounded-sm px-2 text-sm text-ink-muted hover:bg-surface-hover hover:text-ink"
    >
      +{count}
    </button>
  )
}
