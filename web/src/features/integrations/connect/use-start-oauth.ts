import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { dismissToast } from '../../../components/ui/toast.ts'
import { useUserToast } from '../../../components/use-user-toast.ts'
import { ApiError } from '../../../lib/api/api-errors.ts'
import {
  startOAuthFlow,
  showConnectedToast,
  completeOAuthFlow,
  type FailureListener,
  type ManualRegistration,
  type OAuthValues,
} from '../oauth/oauth-flow.ts'
import { openPopup } from '../oauth/oauth-popup.ts'
import type { CatalogueCard } from '../state/catalogue-cards.ts'
import { ConnectionError } from '../state/connection-error.ts'
import { invalidateIntegrations } from '../state/integrations-query.ts'
import { useTrackActivity } from './connection-activity.ts'
import { reportConnectionError, type ConnectFailure } from './report-connection-error.ts'

/** Why a connection could not be started, and whether the setup dialog would help. */
export interface StartError extends ConnectFailure {
  needsSetup: boolean
  /** set if the server takes a Client ID that the user registers */
  manualRegistration?: ManualRegistration
}

interface OAuthListeners {
  /** called with the error message when the flow fails after it has started */
  onFailure?: FailureListener
  /** called with the error message when it could not start */
  onStartFailure?: FailureListener
}

/**
 * A function that starts an OAuth flow; it must be called in the click handler. Toasts report the result of the flow.
 * @returns it resolves when the popup shows the provider, or the connection works without a sign-in; or to why the flow could not start
 */
export function useStartOAuth(userId: string) {
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
        // the connection is busy with something else
        if (!start) popup.close()
        if (!start || start.kind === 'cancelled') return { message: undefined, needsSetup: false }
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
          cause: error,
          needsSetup: false,
        }
      }
    },
    [trackActivity, queryClient, userId, notify],
  )
}
