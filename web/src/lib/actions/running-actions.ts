import { createStore, useStore, type Store } from '../browser/create-store.ts'
import { useUserResource } from './user-resources.ts'

/** The part of `actions.ts` that the first page needs. */
interface RunningActions {
  /** the activity of each action, by key */
  readonly running: Store<ReadonlyMap<string, string>>
  /** Sets the activity of an action. @param activity undefined when it has ended */
  setActivity: (key: string, activity: string | undefined) => void
  close: () => void
}

/** The actions of one user that have not ended. */
export function createRunningActions(): RunningActions {
  const running = createStore<ReadonlyMap<string, string>>(new Map())
  return {
    running,
    setActivity(key, activity) {
      const next = new Map(running.getState())
      if (activity === undefined) next.delete(key)
      else next.set(key, activity)
      running.setState(next)
    },
    // nothing to end: each action sets its own activity
    close: () => undefined,
  }
}

/** The activity of each action that has not ended, by key. */
export const useRunningActions = (): ReadonlyMap<string, string> =>
  useStore(useUserResource(createRunningActions).running)

/** The key of the deletion of a conversation. Lists leave out conversations that are being deleted. */
export const deletionKey = (conversationId: string): string => `delete ${conversationId}`

/** The key of the decision on a tool call that waits for approval, in its chat and in the list of waiting calls. Its activity is a `DecisionActivity`. */
export const decisionKey = (runId: string, callId: string): string => `decide ${runId} ${callId}`

/** The user's decision on a tool call, as the activity of its action. `always`: approved, also without asking from now on. */
export type DecisionActivity = 'approved' | 'always' | 'denied'

/** @returns whether a conversation is being deleted, which can be undone at first */
export function useIsDeleting(): (conversationId: string) => boolean {
  const running = useRunningActions()
  return (id) => running.has(deletionKey(id))
}
