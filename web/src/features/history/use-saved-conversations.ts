import { useQuery } from '@tanstack/react-query'
import { conversationsQuery, type ConversationListView } from '../../lib/conversations/conversation-list.ts'
import { useIsDeleting } from '../../lib/actions/running-actions.ts'

/** What the panel shows of a list of conversations. */
export type SavedConversations = ReturnType<typeof useSavedConversations>

/** The saved conversations of a view. They are fetched while `enabled`. */
export function useSavedConversations(view: ConversationListView, { enabled }: { enabled: boolean }) {
  const { data, isPending, error, refetch } = useQuery({ ...conversationsQuery(view), enabled })
  const isDeleting = useIsDeleting()
  const loaded = data?.sessions ?? []
  const conversations = loaded.filter(({ id }) => !isDeleting(id))
  const deletingCount = loaded.length - conversations.length
  return {
    view,
    isPending,
    isLoaded: data !== undefined,
    error,
    retry: () => void refetch(),
    /** those that are loaded, without those that are being deleted */
    conversations,
    /** of all that are loaded */
    loadedIds: loaded.map(({ id }) => id),
    /** the number of all conversations, loaded or not; a lower limit unless `isCountExact` */
    count: (data?.total ?? loaded.length) - deletingCount,
    isCountExact: data?.total !== undefined,
    /** cursor of the next page; undefined when everything is loaded */
    nextCursor: data?.next,
  }
}
