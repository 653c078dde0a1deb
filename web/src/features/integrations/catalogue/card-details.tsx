import { t } from '@lingui/core/macro'
import { Fragment } from 'react'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { describeReconnectReason } from '#shared/reconnect-reason.ts'
import { runsLocally } from '#shared/registry-search.ts'
import { useToolsAllowed } from '../../../lib/account/account-queries.ts'
import { formatList } from '../../../lib/text/locale.ts'
import { translateName } from '../../../lib/text/translate-name.ts'
import { translateSentence } from '../../../lib/text/translate.ts'
import { type CatalogueCard, describeAuthType, getCardName, hasConnection } from '../state/catalogue-cards.ts'
import { AuthTypeBadge, LocalServerBadge, LocalServerNote } from './card-parts.tsx'
import { ToolUsage } from './tool-usage.tsx'

interface CardDetailsProps {
  card: CatalogueCard
  /** its tools, once known */
  tools: IntegrationTools | undefined
  now: Date
}

/** What an integration offers, how it signs in, and what there is to know about its connection. */
export function CardDetails({ card, tools, now }: CardDetailsProps) {
  const { entry } = card
  const description = translateName(entry.description)
  return (
    <div className="col-span-3 mt-2 grid min-w-0 gap-px text-sm">
      <p className="truncate text-ink-muted" dir="auto" title={description}>
        {description}
      </p>
      <div className="flex min-h-5 min-w-0 items-center gap-1.5 text-xs text-ink-faint">
        <Features names={entry.config.features.map((feature) => translateName(feature))} />
        <span className="ms-auto shrink-0 ps-2">
          {runsLocally(entry) ? <LocalServerBadge /> : <AuthTypeBadge {...describeAuthType(card)} />}
        </span>
      </div>
      <ConnectionNote card={card} tools={tools} now={now} />
    </div>
  )
}

/** About as many as fit into the line of a card; the others are in a tooltip. */
const maxFeatures = 3

function Features({ names }: { names: readonly string[] }) {
  return (
    <>
      <p className="truncate">
        {names.slice(0, maxFeatures).map((name, index) => (
          <Fragment key={name}>
            {index > 0 && <span aria-hidden> · </span>}
            <span>{name}</span>
          </Fragment>
        ))}
      </p>
      {names.length > maxFeatures && (
        <span className="shrink-0" title={formatList(names.slice(maxFeatures))}>
          {t`+${{ count: names.length - maxFeatures }} more`}
        </span>
      )}
    </>
  )
}

/** Why it cannot be connected or does not work, otherwise how its tools are used. */
function ConnectionNote({ card, tools, now }: CardDetailsProps) {
  const { entry, environment, connection, isAllowed } = card
  const isConnected = connection?.status === 'connected'
  const toolsAllowed = useToolsAllowed()
  if (runsLocally(entry)) return <LocalServerNote />
  // where nothing is allowed, the page says so once
  if (!isAllowed && (isConnected || toolsAllowed !== 'none'))
    return <p className="text-ink-muted">{t`Your administrator does not allow it.`}</p>
  if (isConnected && connection.reconnect)
    return (
      <p className="wrap-anywhere text-danger-ink">
        {translateSentence(describeReconnectReason(getCardName(card), connection.reconnect))}
      </p>
    )
  if (environment === 'sandbox' && hasConnection(card))
    return (
      <p className="text-ink-muted">{t`Credentials of the sandbox are stored. Disconnect removes them.`}</p>
    )
  return <ToolUsage entry={entry} isConnected={isConnected} tools={tools} now={now} />
}
