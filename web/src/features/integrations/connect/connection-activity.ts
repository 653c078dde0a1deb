import { useCallback } from 'react'
import { useActions } from '../../../lib/actions/actions.ts'
import { useRunningActions } from '../../../lib/actions/running-actions.ts'

/** What is being done with a connection. */
export type ConnectionActivity = 'connecting' | 'disconnecting' | 'refreshing'

const connectionKey = (id: string) => `connection ${id}`

/** @returns what is being done with the connection of a card, wherever on the page it was started; undefined for nothing */
export function useConnectionActivity(): (id: string) => ConnectionActivity | undefined {
  const running = useRunningActions()
  return (id) => running.get(connectionKey(id)) as ConnectionActivity | undefined
}

/**
 * @returns starts an action with a connection, which then has that activity. A connection has one action at a time: while it runs, a second
 * one is not started, and the result is undefined
 */
export function useTrackActivity() {
  const actions = useActions()
  return useCallback(
    async <Result>(id: string, activity: ConnectionActivity, action: () => Promise<Result>) =>
      actions.start(connectionKey(id), action, activity),
    [actions],
  )
}
