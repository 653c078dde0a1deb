import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { memo } from 'react'
import { runsLocally } from '#shared/registry-search.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { IntegrationTile } from '../components/integration-tile.tsx'
import { EnvironmentBadge } from '../connect/environment-badge.tsx'
import type { ConnectionActivity } from '../connect/connection-activity.ts'
import { getCardName, supportsSandbox, type CatalogueCard } from '../state/catalogue-cards.ts'
import { getCardStatus } from '../state/connection-status.ts'
import { formatCatalogueUpdate } from '../state/date-labels.ts'
import { CardButtons, type CardActions } from './card-buttons.tsx'
import { CardDetails } from './card-details.tsx'
import { CardStatus, Namespace } from './card-parts.tsx'

/** A card of the catalogue: what an integration offers, its status and its actions. */
export const IntegrationCard = memo(function IntegrationCard({
  card,
  tools,
  activity,
  now,
  ...actions
}: {
  card: CatalogueCard
  /** its tools, once known */
  tools: IntegrationTools | undefined
  activity: ConnectionActivity | undefined
  now: Date
} & CardActions) {
  const { entry, environment, connection } = card
  const isSandbox = environment === 'sandbox'
  const status = getCardStatus(connection, now)
  return (
    <article
      aria-label={getCardName(card)}
      className={clsx(
        'group grid min-w-0 grid-cols-[40px_minmax(0,1fr)_auto] sm:grid-cols-[40px_minmax(7.25rem,1fr)_auto] content-start items-start gap-x-3 rounded-lg transition-shadow duration-(--duration-fast) [contain-intrinsic-size:auto_7.5rem] [content-visibility:auto]',
        // the dashed border is one pixel of the padding
        isSandbox
          ? 'border border-dashed border-line-strong p-[calc(--spacing(4)-1px)] hover:border-line-control'
          : 'bg-surface-raised p-4 hairline hover:[--hairline:var(--color-line-strong)]',
        !isSandbox && status.variant === 'warn' && '[--hairline:var(--color-warning-line)]',
        !isSandbox && status.variant === 'bad' && '[--hairline:var(--color-danger-line)]',
      )}
    >
      <IntegrationTile name={entry.name} icon={entry.icon ?? entry.config.icon} />
      <div className="min-w-0 text-sm">
        <div className="flex min-w-0 items-center gap-2">
          <h3
            className="truncate text-ui font-medium"
            title={`${entry.name} · ${formatCatalogueUpdate(entry.updated_at)}`}
          >
            {entry.name}
          </h3>
          {supportsSandbox(entry) && <EnvironmentBadge isSandbox={isSandbox} />}
        </div>
        {entry.namespace !== undefined && <Namespace name={entry.namespace} />}
        <CardStatus
          variant={status.variant}
          text={runsLocally(entry) ? t`Cannot be connected here` : status.text}
          activity={activity}
        />
      </div>
      <CardButtons card={card} activity={activity} now={now} {...actions} />
      <CardDetails card={card} tools={tools} now={now} />
    </article>
  )
})
