import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { ApiError } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import type { CatalogueCard } from '../catalogue/catalogue-cards.ts'
import { ConnectionRefused, returnedFailure } from '../state/connection-error.ts'
import { integrationsChanged } from '../state/integrations-query.ts'
import { beginFlow, connectedToast, finishFlow, type OAuthValues } from '../oauth/oauth-flow.ts'
import { openPopup, popupBlocked } from '../oauth/oauth-popup.ts'

/** What keeps a connection from being begun: the sentence to show, and whether typing something would help. */
export interface StartFailure {
  sentence: string
  needsSetup: boolean
}

export type Busy = 'connecting' | 'disconnecting' | 'refreshing'

/** With the provider's own test call on the way. */
const connectTimeoutMs = 30_000

/** Connecting, disconnecting and refreshing with their toasts; what is busy is known by card id. */
export function useConnections(userId: string) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState<ReadonlyMap<string, Busy>>(new Map())

  const during = useCallback(async <Result>(id: string, what: Busy, work: () => Promise<Result>) => {
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
  }, [])

  /**
   * Connects with typed values, or with none (INT-49).
   * @returns the sentence to show in the dialog when it failed
   */
  const connect = useCallback(
    (card: CatalogueCard, credentials: Record<string, string>, parameters: Record<string, string>) =>
      during(card.id, 'connecting', async () => {
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
            showToast('error', 'Connection Failed', { description: notStored(integration.mcp_name) })
            return notStored(integration.mcp_name)
          }
          connectedToast()
          return undefined
        } catch (error) {
          return connectionFailure(error, 'Failed to connect integration')
        } finally {
          await integrationsChanged(queryClient)
        }
      }),
    [during, queryClient],
  )

  /**
   * Starts an OAuth flow; to be called in the click itself. Resolves once the window shows the provider (SETUP-22); what comes of
   * the flow is told later by toasts.
   * @param onFailure called with the reason when the flow fails after it has started
   * @returns why it could not start
   */
  const startOAuth = useCallback(
    async (
      card: CatalogueCard,
      values: OAuthValues,
      onFailure?: (sentence: string) => void,
    ): Promise<StartFailure | undefined> => {
      const popup = openPopup()
      try {
        if (!popup) throw new ConnectionRefused(popupBlocked)
        const begun = await during(card.id, 'connecting', () => beginFlow(popup, card, values))
        if (begun.kind === 'cancelled') return undefined
        if (begun.kind === 'connected') {
          await integrationsChanged(queryClient)
          connectedToast()
          return undefined
        }
        const started = showToast('success', 'OAuth Started', {
          description: 'Please complete authentication in the popup window.',
        })
        void during(card.id, 'connecting', () =>
          finishFlow(popup, begun.state, card, { queryClient, userId, onFailure }),
        ).finally(() => dismissToast(started))
        return undefined
      } catch (error) {
        if (error instanceof ApiError && error.code === 'setup_required')
          return { sentence: error.userMessage, needsSetup: true }
        return { sentence: connectionFailure(error, 'Failed to connect'), needsSetup: false }
      }
    },
    [during, queryClient, userId],
  )

  const disconnect = useCallback(
    (mcpId: string) =>
      during(mcpId, 'disconnecting', async () => {
        await disconnectIntegration(mcpId)
        await integrationsChanged(queryClient)
      }),
    [during, queryClient],
  )

  const refresh = useCallback(
    (mcpId: string) =>
      during(mcpId, 'refreshing', async () => {
        try {
          await refreshToken(mcpId)
          showToast('success', 'Token Refreshed', { description: 'Successfully refreshed access token' })
        } catch (error) {
          showToast('error', 'Refresh Failed', {
            description: returnedFailure(error, 'Token refresh failed') ?? 'Failed to refresh token',
          })
        }
        await integrationsChanged(queryClient)
      }),
    [during, queryClient],
  )

  return { busy, connect, startOAuth, disconnect, refresh }
}

/** The provider took what was typed, but it was not stored, so the row is there and cannot be used. */
const notStored = (name: string) =>
  `${name} accepted what you entered, but it could not be stored, so the connection does not work yet. Please connect again.`

/** INT-68, INT-69, DEC-081, DEC-110 */
function connectionFailure(error: unknown, fallback: string): string {
  const returned = returnedFailure(error, fallback)
  if (returned !== undefined) {
    showToast('error', 'Connection Failed', { description: returned })
    return returned
  }
  const sentence = 'Failed to initiate connection. Please try again.'
  showToast('error', 'Connection Error', { description: sentence })
  return sentence
}

/** What the person who disconnects is asked to confirm. */
export const disconnectConsequence = (name: string, assistantName: string): string =>
  `${assistantName} loses access to ${name}, and the keys and tokens stored for it are deleted. You can connect it again at any time.`

/**
 * Disconnects, and says how it went (INT-71, INT-72, INT-73).
 * @returns false when it failed (INT-78)
 */
export async function disconnectIntegration(mcpId: string): Promise<boolean> {
  try {
    await callApi('integrations.disconnect', { params: { mcpId }, body: {} }, { timeoutMs: connectTimeoutMs })
    showToast('success', 'Integration Disconnected', {
      description: 'Successfully disconnected the integration',
    })
    return true
  } catch (error) {
    const returned = returnedFailure(error, 'Failed to disconnect integration')
    if (returned !== undefined) showToast('error', 'Disconnection Failed', { description: returned })
    else showToast('error', 'Disconnection Error', { description: 'Failed to disconnect. Please try again.' })
    return false
  }
}

/** OAUTH-19, OAUTH-20 */
export async function refreshToken(mcpId: string): Promise<void> {
  await callApi('oauth.handle', { body: { action: 'refresh', mcpId } }, { timeoutMs: connectTimeoutMs })
}
