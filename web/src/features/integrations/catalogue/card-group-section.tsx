import { t } from '@lingui/core/macro'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { formatCount } from '../../../lib/text/locale.ts'
import { useConnectionActivity } from '../connect/connection-activity.ts'
import type { CardActions } from './card-buttons.tsx'
import { CardGrid } from './card-grid.tsx'
import type { CardGroup } from './card-groups.ts'
import { IntegrationCard } from './integration-card.tsx'

/** A group of cards below its heading. */
export function CardGroupSection({
  group,
  tools,
  now,
  ...actions
}: {
  group: CardGroup
  /** those of all integrations, once known */
  tools: readonly IntegrationTools[] | undefined
  now: Date
} & CardActions) {
  const getActivity = useConnectionActivity()
  const heading = getHeading(group)
  return (
    <section aria-label={heading} className="not-first:mt-8">
      <h2 className="mb-2 text-sm font-medium text-ink-muted">
        {heading} <span className="font-normal text-ink-faint">{formatCount(group.cards.length)}</span>
      </h2>
      <CardGrid>
        {group.cards.map((card) => (
          <IntegrationCard
            key={card.id}
            card={card}
            tools={card.connection && tools?.find(({ id }) => id === card.id)}
            activity={getActivity(card.id)}
            now={now}
            {...actions}
          />
        ))}
      </CardGrid>
    </section>
  )
}

/** A heading that is true of cards which stay where they are when they are connected or disconnected. */
function getHeading({ isFirst, connected }: CardGroup): string {
  switch (connected) {
    case 'all':
      return isFirst ? t`Connected` : t`Just connected`
    case 'some':
      return isFirst ? t`Connected, and just disconnected` : t`Available, and just connected`
    case 'none':
      return isFirst ? t`Just disconnected` : t`Available`
  }
}
