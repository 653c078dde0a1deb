import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useRef } from 'react'
import type { Rating } from '#shared/contracts/messages.ts'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { errorMessage } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import type { Conversation } from '../state/conversation.ts'
import { withRating, type StoredConversation } from '../state/stored-conversation.ts'
import * as texts from './texts.tsx'

const choices = [
  { value: 'up', label: texts.goodReply, Icon: ThumbsUp },
  { value: 'down', label: texts.badReply, Icon: ThumbsDown },
] as const satisfies readonly { value: Rating; label: string; Icon: unknown }[]

/** Rates a reply: optimistic, and rolled back when saving fails. Pressing the same rating again removes it. */
export function ReplyRating({ conversation, message }: { conversation: Conversation; message: ChatMessage }) {
  const queryClient = useQueryClient()
  const { id: sessionId, query } = conversation
  const { id: messageId, rating } = message
  const mutationKey = ['rating', sessionId, messageId]
  /** the last rating that the server confirmed */
  const savedRating = useRef(rating ?? null)
  const setCachedRating = (value: Rating | null) =>
    queryClient.setQueryData<StoredConversation>(
      query.queryKey,
      (current) => current && withRating(current, messageId, value ?? undefined),
    )
  const { mutate } = useMutation({
    mutationKey,
    // in order: the last press wins
    scope: { id: mutationKey.join(' ') },
    mutationFn: (value: Rating | null) =>
      callApi('messages.rate', { params: { sessionId, messageId }, body: { rating: value } }),
    onMutate: (value) => {
      if (queryClient.isMutating({ mutationKey }) === 1) savedRating.current = rating ?? null
      setCachedRating(value)
    },
    onSuccess: (_, value) => {
      savedRating.current = value
    },
    onError: (error) => showToast('error', texts.ratingNotSaved, { description: errorMessage(error) }),
    onSettled: () => {
      // skip while a later press is pending; a concurrent fetch may have written the old rating
      if (queryClient.isMutating({ mutationKey }) === 1) setCachedRating(savedRating.current)
    },
  })
  return choices.map(({ value, label, Icon }) => {
    const isPressed = rating === value
    return (
      <IconButton
        key={value}
        size="sm"
        label={label}
        aria-pressed={isPressed}
        icon={<Icon size={16} {...(isPressed && { className: 'fill-accent-soft text-accent-ink' })} />}
        onClick={() => mutate(isPressed ? null : value)}
      />
    )
  })
}
