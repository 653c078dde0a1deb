import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useUserToast } from '../../../components/use-user-toast.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { createErrorDetails } from '../../../lib/api/error-details.ts'
import { showConnectedToast } from '../oauth/oauth-flow.ts'
import type { CatalogueCard } from '../state/catalogue-cards.ts'
import { findErrorMessage } from '../state/connection-error.ts'
import { invalidateIntegrations, providerTimeoutMs } from '../state/integrations-query.ts'
import { useTrackActivity } from './connection-activity.ts'
import { reportConnectionError } from './report-connection-error.ts'
import { useStartOAuth } from './use-start-oauth.ts'

/**
 * Connects and refreshes integrations, with toasts. An integration has one action at a time: while it runs, a second one is not started, and
 * buttons for it are disabled (`useConnectionActivity`).
 */
export function useConnections(userId: string) {
  return { connect: useConnect(), startOAuth: useStartOAuth(userId), refresh: useRefresh() }
}

/**
 * A function that connects with credentials, or without.
 * @returns it resolves to the failure, if any
 */
function useConnect() {
  const queryClient = useQueryClient()
  const trackActivity = useTrackActivity()
  const notify = useUserToast()
  return useCallback(
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
            { timeoutMs: providerTimeoutMs },
          )
          if (integration.token_status === 'invalid') {
            // the provider accepted the credentials, but storing them failed
            const description = t`${{ name: integration.mcp_name }} accepted what you entered, but it could not be stored, so the connection does not work yet. Please connect again.`
            const cause = createErrorDetails('token_invalid')
            notify('error', t`Connection Failed`, { description, cause })
            return { message: description, cause }
          }
          showConnectedToast(notify)
          return undefined
        } catch (error) {
          return {
            message: reportConnectionError(error, t`Failed to connect integration`, notify),
            cause: error,
          }
        } finally {
          await invalidateIntegrations(queryClient)
        }
      }),
    [trackActivity, queryClient, notify],
  )
}

/** A function that refreshes the access token of a connection. Toasts report the result. */
function useRefresh() {
  const queryClient = useQueryClient()
  const trackActivity = useTrackActivity()
  const notify = useUserToast()
  return useCallback(
    (mcpId: string) =>
      trackActivity(mcpId, 'refreshing', async () => {
        try {
          await refreshToken(mcpId)
          notify('success', t`Token Refreshed`, { description: t`Successfully refreshed access token` })
        } catch (error) {
          notify('error', t`Refresh Failed`, {
            description: findErrorMessage(error, t`Token refresh failed`) ?? t`Failed to refresh token`,
            cause: error,
          })
        }
        await invalidateIntegrations(queryClient)
      }),
    [trackActivity, queryClient, notify],
  )
}

/** Has the service refresh the access token of a connection. @throws what `callApi` throws */
export async function refreshToken(mcpId: string): Promise<void> {
  await callApi('oauth.handle', { body: { action: 'refresh', mcpId } }, { timeoutMs: providerTimeoutMs })
}
