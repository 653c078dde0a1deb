import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { dismissToast, type showToast } from '../../../components/ui/toast.ts'
import { useUserToast } from '../../../components/use-user-toast.ts'
import { ApiError } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import type { CatalogueCard } from '../state/catalogue-cards.ts'
import { ConnectionError, findErrorMessage } from '../state/connection-error.ts'
import { invalidateIntegrations } from '../state/integrations-query.ts'
import {
  startOAuthFlow,
  showConnectedToast,
  completeOAuthFlow,
  type FailureListener,
  type ManualRegistration,
  type OAuthValues,
} from '../oauth/oauth-flow.ts'
import { openPopup } from '../oauth/oauth-popup.ts'
import { useTrackActivity } from './connection-activity.ts'

/** Why a connection could not be started, and whether the setup dialog would help. */
export interface StartError {
  message: string
  needsSetup: boolean
  /** set if the server takes a Client ID that the user registers */
  manualRegistration?: ManualRegistration
}

/** Long: the service tries the credentials at the provider. */
const connectTimeoutMs = 30_000

/**
 * Connects and refreshes integrations, with toasts. An integration has one action at a time: while it runs, a second one is not started, and
 * buttons for it are disabled (`useConnectionActivity`).
 */
export function useConnections(userId: string) {
  return { connect: useConnect(), startOAuth: useStartOAuth(userId), refresh: useRefresh() }
}

/**
 * A function that connects with credentials, or without.
 * @returns it resolves to the error message for the dialog, if any
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
            { timeoutMs: connectTimeoutMs },
          )
          if (integration.token_status === 'invalid') {
            // the provider accepted the credentials, but storing them failed
            const description = t`${{ name: integration.mcp_name }} accepted what you entered, but it could not be stored, so the connection does not work yet. Please connect again.`
            notify('error', t`Connection Failed`, { description })
            return description
          }
          showConnectedToast(notify)
          return undefined
        } catch (error) {
          return reportConnectionError(error, t`Failed to connect integration`, notify)
        } finally {
          await invalidateIntegrations(queryClient)
        }
      }),
    [trackActivity, queryClient, notify],
  )
}

interface OAuthListeners {
  /** called with the error message when the flow fails after it has started */
  onFailure?: FailureListener
  /** called with the error message when it could not start */
  onStartFailure?: FailureListener
}

/**
 * A function that starts an OAuth flow; it must be called in the click handler. Toasts report the result of the flow.
 * @returns it resolves when the popup shows the provider, or to why the flow could not start
 */
function useStartOAuth(userId: string) {
  const queryClient = useQueryClient()
  const trackActivity = useTrackActivity()
  const notify = useUserToast()
  return useCallback(
    async (
      card: CatalogueCard,
      values: OAuthValues,
      { onFailure, onStartFailure }: OAuthListeners = {},
    ): Promise<StartError | undefined> => {
      const popup = openPopup()
      try {
        if (!popup)
          throw new ConnectionError(t`Failed to open OAuth popup. Please allow popups for this site.`)
        const start = await trackActivity(card.id, 'connecting', () =>
          startOAuthFlow(popup, card, values, { queryClient, userId }),
        )
        if (!start || start.kind === 'cancelled') return undefined
        if (start.kind === 'client-needed') {
          const { message, manualRegistration } = start
          return { message, needsSetup: true, manualRegistration }
        }
        if (start.kind === 'connected') {
          await invalidateIntegrations(queryClient)
          showConnectedToast(notify)
          return undefined
        }
        const started = notify('success', t`OAuth Started`, {
          description: t`Please complete authentication in the popup window.`,
        })
        void trackActivity(card.id, 'connecting', () =>
          completeOAuthFlow(popup, start, card, { queryClient, userId, notify, onFailure }),
        ).finally(() => dismissToast(started))
        return undefined
      } catch (error) {
        if (error instanceof ApiError && error.code === 'setup_required')
          return { message: error.userMessage, needsSetup: true }
        return {
          message: reportConnectionError(error, t`Failed to connect`, notify, onStartFailure),
          needsSetup: false,
        }
      }
    },
    [trackActivity, queryClient, userId, notify],
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
          })
        }
        await invalidateIntegrations(queryClient)
      }),
    [trackActivity, queryClient, notify],
  )
}

/** Shows the error by a toast, unless the listener shows it. @returns the message */
function reportConnectionError(
  error: unknown,
  fallback: string,
  notify: typeof showToast,
  onFailure?: FailureListener,
): string {
  const errorText = findErrorMessage(error, fallback)
  const message = errorText ?? t`Failed to initiate connection. Please try again.`
  if (!onFailure?.(message))
    notify('error', errorText === undefined ? t`Connection Error` : t`Connection Failed`, {
      description: message,
    })
  return message
}

/** Has the service refresh the access token of a connection. @throws what `callApi` throws */
export async function refreshToken(mcpId: string): Promise<void> {
  await callApi('oauth.handle', { body: { action: 'refresh', mcpId } }, { timeoutMs: connectTimeoutMs })
}
