import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { dismissToast, showToast } from '../../../components/ui/toast.ts'
import { useActions, useRunningActions } from '../../../lib/actions.ts'
import { ApiError } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import type { CatalogueCard } from '../catalogue/catalogue-cards.ts'
import { ConnectionError, findErrorMessage } from '../state/connection-error.ts'
import { invalidateIntegrations } from '../state/integrations-query.ts'
import {
  startOAuthFlow,
  showConnectedToast,
  completeOAuthFlow,
  type ManualRegistration,
  type OAuthValues,
} from '../oauth/oauth-flow.ts'
import { openPopup } from '../oauth/oauth-popup.ts'
import * as integrationTexts from '../texts.ts'
import * as texts from './connection-texts.ts'

/** Why a connection could not be started, and whether the setup dialog would help. */
export interface StartError {
  message: string
  needsSetup: boolean
  /** set if the server takes a Client ID that the user registers */
  manualRegistration?: ManualRegistration
}

export type ConnectionActivity = 'connecting' | 'disconnecting' | 'refreshing'

/** Long, because it includes a test call to the provider. */
const connectTimeoutMs = 30_000

const connectionKey = (id: string) => `connection ${id}`

/** What is being done with a connection, whoever has started it. @returns by the card's id */
export function useConnectionActivity(): (id: string) => ConnectionActivity | undefined {
  const running = useRunningActions()
  return (id) => running.get(connectionKey(id)) as ConnectionActivity | undefined
}

/** @returns disconnects an integration; resolves with whether it succeeded */
export function useDisconnect(): (mcpId: string) => Promise<boolean> {
  const queryClient = useQueryClient()
  const actions = useActions()
  return useCallback(
    async (mcpId) => {
      const disconnect = async () => {
        const isDisconnected = await disconnectIntegration(mcpId)
        await invalidateIntegrations(queryClient)
        return isDisconnected
      }
      return (await actions.start(connectionKey(mcpId), disconnect, 'disconnecting')) ?? false
    },
    [queryClient, actions],
  )
}

/** Connects and refreshes integrations, with toasts; one thing at a time with each. */
export function useConnections(userId: string) {
  const queryClient = useQueryClient()
  const actions = useActions()

  const trackActivity = useCallback(
    async <Result>(id: string, activity: ConnectionActivity, action: () => Promise<Result>) =>
      actions.start(connectionKey(id), action, activity),
    [actions],
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
            // the provider accepted the credentials, but storing them failed
            const description = texts.notStored(integration.mcp_name)
            showToast('error', integrationTexts.connectionFailed, { description })
            return description
          }
          showConnectedToast()
          return undefined
        } catch (error) {
          return reportConnectionError(error, texts.connectFailed)
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
        if (!popup) throw new ConnectionError(integrationTexts.popupBlocked)
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
          showConnectedToast()
          return undefined
        }
        const started = showToast('success', texts.oauthStarted, {
          description: texts.oauthStartedHint,
        })
        void trackActivity(card.id, 'connecting', () =>
          completeOAuthFlow(popup, start, card, { queryClient, userId, onFailure }),
        ).finally(() => dismissToast(started))
        return undefined
      } catch (error) {
        if (error instanceof ApiError && error.code === 'setup_required')
          return { message: error.userMessage, needsSetup: true }
        return { message: reportConnectionError(error, integrationTexts.failedToConnect), needsSetup: false }
      }
    },
    [trackActivity, queryClient, userId],
  )

  const refresh = useCallback(
    (mcpId: string) =>
      trackActivity(mcpId, 'refreshing', async () => {
        try {
          await refreshToken(mcpId)
          showToast('success', texts.tokenRefreshed, { description: texts.tokenRefreshedHint })
        } catch (error) {
          showToast('error', texts.refreshFailed, {
            description: findErrorMessage(error, texts.refreshFailedHint) ?? texts.refreshUnreachable,
          })
        }
        await invalidateIntegrations(queryClient)
      }),
    [trackActivity, queryClient],
  )

  return { connect, startOAuth, refresh }
}

function reportConnectionError(error: unknown, fallback: string): string {
  const message = findErrorMessage(error, fallback)
  if (message !== undefined) {
    showToast('error', integrationTexts.connectionFailed, { description: message })
    return message
  }
  showToast('error', integrationTexts.connectionError, { description: texts.startFailed })
  return texts.startFailed
}

/** The consequences of disconnecting. */
export const describeDisconnect = (name: string, assistantName: string): string =>
  texts.disconnectConsequence(name, assistantName)

/** Disconnects and shows a toast. @returns false when it failed */
async function disconnectIntegration(mcpId: string): Promise<boolean> {
  try {
    await callApi('integrations.disconnect', { params: { mcpId }, body: {} }, { timeoutMs: connectTimeoutMs })
    showToast('success', texts.disconnected, {
      description: texts.disconnectedHint,
    })
    return true
  } catch (error) {
    const message = findErrorMessage(error, texts.disconnectFailed)
    if (message !== undefined) showToast('error', texts.disconnectionFailed, { description: message })
    else showToast('error', texts.disconnectionError, { description: texts.disconnectionErrorHint })
    return false
  }
}

/** Refreshes a connection's access token. */
export async function refreshToken(mcpId: string): Promise<void> {
  await callApi('oauth.handle', { body: { action: 'refresh', mcpId } }, { timeoutMs: connectTimeoutMs })
}
