import { createStore, useStore, type Store } from './create-store.ts'
import { useUserResource } from './user-resources.ts'

/** The part of `actions.ts` that the first page needs. */
interface RunningActions {
  /** what is being done, by key */
  readonly running: Store<ReadonlyMap<string, string>>
  /** @param activity undefined when it is over */
  note: (key: string, activity: string | undefined) => void
  close: () => void
}

/** What the signed-in user has started and what is not over. */
export function createRunningActions(): RunningActions {
  const running = createStore<ReadonlyMap<string, string>>(new Map())
  return {
    running,
    note(key, activity) {
      const next = new Map(running.getState())
      if (activity === undefined) next.delete(key)
      else next.set(key, activity)
      running.setState(next)
    },
    close: () => undefined,
  }
}

/** What is being done, by key. */
export const useRunningActions = (): ReadonlyMap<string, string> =>
  useStore(useUserResource(createRunningActions).running)

/** The key of the deletion of a conversation. Who lists or opens conversations leaves those out that are being deleted. */
export const deletionKey = (conversationId: string): string => `delete ${conversationId}`

/** The key of the decision on a call that waits, in its chat and on the page of all that waits. It is done as one of `DecisionActivity`. */
export const decisionKey = (runId: string, callId: string): string => `decide ${runId} ${callId}`

export type DecisionActivity = 'approved' | 'always' | 'denied'

/** Whether a conversation is being deleted, which can be undone at first. */
export function useIsDeleting(): (conversationId: string) => boolean {
  const running = useRunningActions()
  return (id) => running.has(deletionKey(id))
}
