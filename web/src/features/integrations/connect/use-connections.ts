import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { ApiError } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import type { CatalogueCard } from '../catalogue/catalogue-cards.ts'
import { ConnectionError, getReturnedError } from '../state/connection-error.ts'
import { invalidateIntegrations } from '../state/integrations-query.ts'
import {
  startOAuthFlow,
  showConnectedToast,
  completeOAuthFlow,
  type OAuthValues,
} from '../oauth/oauth-flow.ts'
import { openPopup, popupBlocked } from '../oauth/oauth-popup.ts'

/** Why a connection could not be started, and whether the setup dialog would help. */
export interface StartError {
  message: string
  needsSetup: boolean
}

export type ConnectionActivity = 'connecting' | 'disconnecting' | 'refreshing'

/** Includes the provider's test call. */
const connectTimeoutMs = 30_000

/**
 * Connects, disconnects and refreshes integrations, with toasts; `busy` holds the running action by card
 * id.
 */
export function useConnections(userId: string) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState<ReadonlyMap<string, ConnectionActivity>>(new Map())

  const trackActivity = useCallback(
    async <Result>(id: string, what: ConnectionActivity, work: () => Promise<Result>) => {
      setBusy((before) => new Map(before).set(id, what))
      try {
        return await work()
      } finally {
        setBusy((before) => {
          const after = new Map(before)
          after.delete(id)
          return after
        })
      }
    },
    [],
  )

  /**
   * Connects with credentials, or without.
   * @returns the error message for the dialog, if any
   */
  const connect = useCallback(
    (card: CatalogueCard, credentials: Record<string, string>, parameters: Record<string, string>) =>
      trackActivity(card.id, 'connecting', async () => {
        try {
          const { integration } = await callApi(
            'integrations.connect',
            {
              params: { mcpId: card.id },
              body: {
                environment: card.environment,
                ...(Object.keys(credentials).length > 0 && { credentials }),
                ...(Object.keys(parameters).length > 0 && { parameters }),
              },
            },
            { timeoutMs: connectTimeoutMs },
          )
          if (integration.token_status === 'invalid') {
            showToast('error', 'Connection Failed', { description: describeNotStored(integration.mcp_name) })
            return describeNotStored(integration.mcp_name)
          }
          showConnectedToast()
          return undefined
        } catch (error) {
          return reportConnectionError(error, 'Failed to connect integration')
        } finally {
          await invalidateIntegrations(queryClient)
        }
      }),
    [trackActivity, queryClient],
  )

  /**
   * Starts an OAuth flow; must be called in the click handler. Resolves when the popup shows the provider;
   * toasts report the result.
   * @param onFailure called with the error message when the flow fails after it has started
   * @returns why it could not start
   */
  const startOAuth = useCallback(
    async (
      card: CatalogueCard,
      values: OAuthValues,
      onFailure?: (message: string) => void,
    ): Promise<StartError | undefined> => {
      const popup = openPopup()
      try {
        if (!popup) throw new ConnectionError(popupBlocked)
        const start = await trackActivity(card.id, 'connecting', () => startOAuthFlow(popup, card, values))
        if (start.kind === 'cancelled') return undefined
        if (start.kind === 'connected') {
          await invalidateIntegrations(queryClient)
          showConnectedToast()
          return undefined
        }
        const started = showToast('success', 'OAuth Started', {
          description: 'Please complete authentication in the popup window.',
        })
        void trackActivity(card.id, 'connecting', () =>
          completeOAuthFlow(popup, start.state, card, { queryClient, userId, onFailure }),
        ).finally(() => dismissToast(started))
        return undefined
      } catch (error) {
        if (error instanceof ApiError && error.code === 'setup_required')
          return { message: error.userMessage, needsSetup: true }
        return { message: reportConnectionError(error, 'Failed to connect'), needsSetup: false }
      }
    },
    [trackActivity, queryClient, userId],
  )

  const disconnect = useCallback(
    (mcpId: string) =>
      trackActivity(mcpId, 'disconnecting', async () => {
        await disconnectIntegration(mcpId)
        await invalidateIntegrations(queryClient)
      }),
    [trackActivity, queryClient],
  )

  const refresh = useCallback(
    (mcpId: string) =>
      trackActivity(mcpId, 'refreshing', async () => {
        try {
          await refreshToken(mcpId)
          showToast('success', 'Token Refreshed', { description: 'Successfully refreshed access token' })
        } catch (error) {
          showToast('error', 'Refresh Failed', {
            description: getReturnedError(error, 'Token refresh failed') ?? 'Failed to refresh token',
          })
        }
        await invalidateIntegrations(queryClient)
      }),
    [trackActivity, queryClient],
  )

  return { busy, connect, startOAuth, disconnect, refresh }
}

/** The provider accepted the credentials, but storing them failed: the connection exists but does not work. */
const describeNotStored = (name: string) =>
  `${name} accepted what you entered, but it could not be stored, so the connection does not work yet. Please connect again.`

function reportConnectionError(error: unknown, fallback: string): string {
  const returned = getReturnedError(error, fallback)
  if (returned !== undefined) {
    showToast('error', 'Connection Failed', { description: returned })
    return returned
  }
  const message = 'Failed to initiate connection. Please try again.'
  showToast('error', 'Connection Error', { description: message })
  return message
}

/** The consequences of disconnecting. */
export const describeDisconnect = (name: string, assistantName: string): string =>
  `${assistantName} loses access to ${name}, and the keys and tokens stored for it are deleted. You can connect it again at any time.`

/**
 * Disconnects and shows a toast.
 * @returns false when it failed
 */
export async function disconnectIntegration(mcpId: string): Promise<boolean> {
  try {
    await callApi('integrations.disconnect', { params: { mcpId }, body: {} }, { timeoutMs: connectTimeoutMs })
    showToast('success', 'Integration Disconnected', {
      description: 'Successfully disconnected the integration',
    })
    return true
  } catch (error) {
    const returned = getReturnedError(error, 'Failed to disconnect integration')
    if (returned !== undefined) showToast('error', 'Disconnection Failed', { description: returned })
    else showToast('error', 'Disconnection Error', { description: 'Failed to disconnect. Please try again.' })
    return false
  }
}

export async function refreshToken(mcpId: string): Promise<void> {
  await callApi('oauth.handle', { body: { action: 'refresh', mcpId } }, { timeoutMs: connectTimeoutMs })
}
