import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Session } from '#shared/contracts/sessions.ts'
import { showToast } from '../../components/ui/toast.ts'
import { callApi } from '../../lib/call-api.ts'
import { forgetSession, sessionsQuery } from '../../lib/session-queries.ts'

/**
 * Deletes a conversation: its row goes at once and comes back when the deletion fails (HIST-28, HIST-29).
 * @param onDeleted called with its id once it is really gone
 */
export function useDeleteSession(onDeleted: (id: string) => void) {
  const queryClient = useQueryClient()
  const { queryKey } = sessionsQuery
  const { mutate } = useMutation({
    mutationFn: ({ id }: Session) => callApi('sessions.delete', { params: { sessionId: id } }),
    onMutate: async ({ id }) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      forgetSession(queryClient, id)
      return { before }
    },
    onError: (_error, _session, context) => {
      if (context?.before) queryClient.setQueryData(queryKey, context.before)
      showToast('error', "Hmm, couldn't delete that", { description: 'It is still here. Please try again.' })
    },
    onSuccess: (_answer, { id, title }) => {
      showToast('success', 'Chat deleted!', { description: `“${title}”` })
      onDeleted(id)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
  return mutate
}
