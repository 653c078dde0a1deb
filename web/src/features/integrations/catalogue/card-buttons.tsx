import { t } from '@lingui/core/macro'
import { RefreshCw } from 'lucide-react'
import { runsLocally } from '#shared/registry-search.ts'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import type { ConnectionActivity } from '../connect/connection-activity.ts'
import { getCardName, getConnectMode, hasConnection, type CatalogueCard } from '../state/catalogue-cards.ts'
import { isStale } from '../state/connection-status.ts'

/** What the buttons of a card do. The functions must be stable: cards are memoised. */
export interface CardActions {
  /** connects, after a setup dialog if input is needed */
  onConnect: (card: CatalogueCard) => void
  /** opens the setup dialog even if no input is needed */
  onSetup: (card: CatalogueCard) => void
  /** asks for confirmation */
  onDisconnect: (card: CatalogueCard) => void
  onRefresh: (mcpId: string) => void
}

/** What can be done with an integration. The action that makes its connection work comes first. */
export function CardButtons({
  card,
  activity,
  now,
  onConnect,
  onSetup,
  onDisconnect,
  onRefresh,
}: {
  card: CatalogueCard
  activity: ConnectionActivity | undefined
  now: Date
} & CardActions) {
  const name = getCardName(card)
  const { canRefresh, needsReconnect, canConnect } = getConnectOptions(card, now)
  const ownCredentials = canConnect ? getOwnCredentials(card) : undefined
  const connectLabel = activity === 'connecting' ? t`Connecting…` : getConnectLabel(card, { needsReconnect })
  /** a connection has one action at a time: the buttons of the others are disabled meanwhile */
  const isBusyWithOther = (own: ConnectionActivity) => activity !== undefined && activity !== own
  return (
    <div className="-my-0.5 flex flex-wrap items-center justify-end gap-1">
      {runsLocally(card.entry) && card.entry.open_url !== null && (
        <a
          href={card.entry.open_url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t`Documentation of ${name}`}
          className={buttonClass({ variant: 'ghost', size: 'sm', className: '-me-2' })}
        >
          {t`Documentation`}
        </a>
      )}
      {canRefresh && (
        <Button
          variant="primary"
          size="sm"
          busy={activity === 'refreshing'}
          disabled={isBusyWithOther('refreshing')}
          aria-label={t`Refresh ${name}`}
          onClick={() => onRefresh(card.id)}
        >
          {activity !== 'refreshing' && <RefreshCw aria-hidden size={16} />}
          {t`Refresh`}
        </Button>
      )}
      {canConnect && (
        <Button
          variant={needsReconnect ? 'primary' : 'soft'}
          size="sm"
          busy={activity === 'connecting'}
          disabled={isBusyWithOther('connecting')}
          aria-label={t`${{ action: connectLabel }} ${name}`}
          onClick={() => onConnect(card)}
        >
          {connectLabel}
        </Button>
      )}
      {hasConnection(card) && (
        <Button
          variant="ghost"
          size="sm"
          busy={activity === 'disconnecting'}
          disabled={isBusyWithOther('disconnecting')}
          aria-label={t`Disconnect ${name}`}
          onClick={() => onDisconnect(card)}
          className="-me-2"
        >
          {t`Disconnect`}
        </Button>
      )}
      {ownCredentials && (
        <Button
          variant="ghost"
          size="sm"
          disabled={activity !== undefined}
          aria-label={ownCredentials === 'app' ? t`Use own app for ${name}` : t`Use own key for ${name}`}
          onClick={() => onSetup(card)}
          className="-me-2"
        >
          {ownCredentials === 'app' ? t`Own app` : t`Own key`}
        </Button>
      )}
    </div>
  )
}

/** How the connection of a card can be made, or made to work again. */
function getConnectOptions(card: CatalogueCard, now: Date) {
  const { entry, connection, isAllowed } = card
  const isConnected = connection?.status === 'connected'
  const hasInvalidToken = isConnected && connection.token_status === 'invalid'
  const hasStaleToken = isConnected && isStale(connection, now)
  const canRefresh = isAllowed && hasStaleToken && connection.refreshable
  // tokens that cannot be refreshed need a new connection
  const needsReconnect = hasInvalidToken || (hasStaleToken && !canRefresh)
  const canConnect = isAllowed && !runsLocally(entry) && (needsReconnect || !isConnected)
  return { canRefresh, needsReconnect, canConnect }
}

/** “Setup” if the user has to register an OAuth app first, otherwise “Connect”, or “Reconnect”. */
function getConnectLabel(card: CatalogueCard, { needsReconnect }: { needsReconnect: boolean }): string {
  if (needsReconnect) return t`Reconnect`
  return card.entry.auth_type === 'oauth2' && !getConnectMode(card) ? t`Setup ~5 mins` : t`Connect`
}

/** The credentials that a user may enter instead of those of the operator: an OAuth app or a key. @returns undefined if there is no choice */
function getOwnCredentials(card: CatalogueCard): 'app' | 'key' | undefined {
  const { entry } = card
  if (!entry.one_click || getConnectMode(card) !== 'oauth' || !entry.setup) return undefined
  return entry.auth_type === 'oauth2' ? 'app' : 'key'
}
