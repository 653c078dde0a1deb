import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { showToast } from '../../../components/ui/toast.ts'
import { useUserToast } from '../../../components/use-user-toast.ts'
import { ignoreNotFound } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { findErrorMessage } from '../state/connection-error.ts'
import { invalidateIntegrations, providerTimeoutMs } from '../state/integrations-query.ts'
import { useTrackActivity } from './connection-activity.ts'

/** @returns disconnects an integration; resolves with whether it succeeded */
export function useDisconnect(): (mcpId: string) => Promise<boolean> {
  const queryClient = useQueryClient()
  const trackActivity = useTrackActivity()
  const notify = useUserToast()
  return useCallback(
    async (mcpId) => {
      const disconnect = async () => {
        const isDisconnected = await disconnectIntegration(mcpId, notify)
        await invalidateIntegrations(queryClient)
        return isDisconnected
      }
      return (await trackActivity(mcpId, 'disconnecting', disconnect)) ?? false
    },
    [queryClient, trackActivity, notify],
  )
}

/** The consequences of disconnecting. */
export const describeDisconnect = (name: string, assistantName: string): string =>
  t`${assistantName} loses access to ${name}, and the keys and tokens stored for it are deleted. You can connect it again at any time.`

/** Disconnects and shows a toast. @returns false when it failed */
async function disconnectIntegration(mcpId: string, notify: typeof showToast): Promise<boolean> {
  try {
    await callApi(
      'integrations.disconnect',
      { params: { mcpId }, body: {} },
      { timeoutMs: providerTimeoutMs },
    ).catch(ignoreNotFound)
    notify('success', t`Integration Disconnected`, {
      description: t`Successfully disconnected the integration`,
    })
    return true
  } catch (error) {
    const message = findErrorMessage(error, t`Failed to disconnect integration`)
    if (message !== undefined)
      notify('error', t`Disconnection Failed`, { description: message, cause: error })
    else
      notify('error', t`Disconnection Error`, {
        description: t`Failed to disconnect. Please try again.`,
        cause: error,
      })
    return false
  }
}
