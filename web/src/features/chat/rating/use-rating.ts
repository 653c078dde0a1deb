import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { Feedback } from '#shared/contracts/messages.ts'
import type { Rating } from '#shared/contracts/sessions.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { useActionMutation } from '../../../components/use-action.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { broadcastConversationChange } from '../../../lib/conversations/conversation-broadcast.ts'
import { conversationKey } from '../../../lib/conversations/conversation-key.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import type { StoredConversation } from '../state/stored-conversation.ts'

/** A rating to send; null takes the rating back. */
interface RatingChange {
  rating: Rating | null
  /** called with what was stored; present if the form sends it, which then also shows a failure */
  fromForm?: (sent: Feedback | null) => void
}

/** The activity that takes a rating back. */
const noRating = 'none'
const parseActivity = (activity: string) =>
  activity === noRating ? undefined : (activity as Feedback['rating'])

/**
 * The rating of a reply, and the action that changes it.
 * @param sessionId of the conversation; a reply that has just ended does not have it
 * @returns `rating`: the one that is being sent, otherwise the stored one
 */
export function useRating(sessionId: string, { id: messageId, feedback }: ChatMessage) {
  const queryClient = useQueryClient()
  const failureTitle = t`The rating was not saved`
  const { start, activity, isBusy, error, reset } = useActionMutation(`rate ${messageId}`, {
    describe: ({ rating }: RatingChange) => rating?.rating ?? noRating,
    // the last press counts, also while the one before is being sent
    isQueued: true,
    run: async ({ rating }: RatingChange) => {
      const response = await callApi('sessions.rate', {
        params: { sessionId, messageId },
        body: { feedback: rating },
      })
      const queryKey = conversationKey(sessionId)
      // a request in flight may return the state before the change
      await queryClient.cancelQueries({ queryKey }, { silent: true })
      queryClient.setQueryData<StoredConversation>(
        queryKey,
        (stored) =>
          stored && {
            ...stored,
            messages: stored.messages.map((message) =>
              message.id === messageId ? withFeedback(message, response.feedback) : message,
            ),
          },
      )
      broadcastConversationChange(sessionId)
      return response.feedback
    },
    onSuccess: (sent, { fromForm }) => fromForm?.(sent),
    onError: (failure, { fromForm }) => {
      if (!fromForm) showToast('error', failureTitle, { error: failure })
    },
  })
  // what is being sent is shown at once
  const rating = activity === undefined ? feedback?.rating : parseActivity(activity)
  return { rating, isBusy, error, start, reset }
}

function withFeedback(message: ChatMessage, feedback: Feedback | null): ChatMessage {
  const { feedback: _, ...others } = message
  return feedback ? { ...others, feedback } : others
}
