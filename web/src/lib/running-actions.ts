import { createStore, useStore, type Store } from './create-store.ts'
import { useUserResource } from './user-resources.ts'

/** The part of `actions.ts` that the first page needs. */
interface RunningActions {
  readonly running: Store<ReadonlyMap<string, string>>
  close: () => void
}

/** What the signed-in user has started and what is not over. */
export const createRunningActions = (): RunningActions => ({
  running: createStore<ReadonlyMap<string, string>>(new Map()),
  close: () => undefined,
})

/** What is being done, by key. */
export const useRunningActions = (): ReadonlyMap<string, string> =>
  useStore(useUserResource(createRunningActions).running)

/** The key of the deletion of a conversation. Who lists or opens conversations leaves those out that are being deleted. */
export const deletionKey = (conversationId: string): string => `delete ${conversationId}`

/** Whether a conversation is being deleted, which can be undone at first. */
export function useIsDeleting(): (conversationId: string) => boolean {
  const running = useRunningActions()
  return (id) => running.has(deletionKey(id))
}
