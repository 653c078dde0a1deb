import type { ComponentProps } from 'react'
import type { Integration } from '#shared/contracts/integrations.ts'
import { dotTone, statusWords } from '../state/connection-status.ts'
import { IntegrationTile, nameLetters } from '../components/integration-tile.tsx'
import { StatusGlyph } from '../components/status-icon.tsx'

/** TOP-06 to TOP-09: a round badge with two letters and its dot. */
export function BadgeButton({
  row,
  now,
  ...rest
}: { row: Integration; now: Date } & ComponentProps<'button'>) {
  return (
    <button
      aria-haspopup="dialog"
      {...rest}
      type="button"
      aria-label={`${nameLetters(row.mcp_name)}, ${row.mcp_name}: ${statusWords(row, now)}`}
      className="group relative grid size-9 shrink-0 place-items-center rounded-full"
    >
      <IntegrationTile
        round
        name={row.mcp_name}
        className="group-hover:shadow-[0_0_0_2px_var(--color-surface),0_0_0_3px_var(--color-line-control)] group-aria-expanded:shadow-[0_0_0_2px_var(--color-surface),0_0_0_3px_var(--color-line-control)]"
      />
      <StatusGlyph
        tone={dotTone(row, now)}
        className="absolute right-0.5 bottom-0.5 size-[11px] overflow-visible stroke-surface stroke-[4px] [paint-order:stroke] [stroke-linejoin:round]"
      />
    </button>
  )
}

/** TOP-10 */
export function MoreButton({ count, ...rest }: { count: number } & ComponentProps<'button'>) {
  return (
    <button
      aria-haspopup="dialog"
      {...rest}
      type="button"
      aria-label={`+${count} more ${count === 1 ? 'integration' : 'integrations'}`}
      className="h-8 rounded-sm px-2 text-sm text-ink-muted hover:bg-surface-hover hover:text-ink"
    >
      +{count}
    </button>
  )
}
