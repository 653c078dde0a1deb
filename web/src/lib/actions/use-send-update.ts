import { useCallback } from 'react'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { useActions } from './actions.ts'
import { callApi } from '../api/call-api.ts'

/** @returns updates a conversation on the service, after its earlier updates: the last one wins. @throws as `callApi` */
export function useSendUpdate() {
  const actions = useActions()
  return useCallback(
    (id: string, body: RouteRequest<'sessions.update'>) =>
      actions.enqueue(`update conversation ${id}`, () =>
        callApi('sessions.update', { params: { sessionId: id }, body }),
      ),
    [actions],
  )
}
