import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useRef } from 'react'
import type { Rating } from '#shared/contracts/sessions.ts'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { errorMessage } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import type { Conversation } from '../state/conversation.ts'
import { withRating, type StoredConversation } from '../state/stored-conversation.ts'

const choices = [
  { value: 'up', label: 'Good reply', Icon: ThumbsUp },
  { value: 'down', label: 'Bad reply', Icon: ThumbsDown },
] as const satisfies readonly { value: Rating; label: string; Icon: unknown }[]

/** What the user thinks of a reply: at once on the page, and back when it could not be stored. Pressed again, it is taken back. */
export function ReplyRating({ conversation, message }: { conversation: Conversation; message: ChatMessage }) {
  const queryClient = useQueryClient()
  const { id: sessionId, query } = conversation
  const { id: messageId, rating } = message
  const mutationKey = ['rating', sessionId, messageId]
  /** as the service has it, as far as this page knows */
  const stored = useRef(rating ?? null)
  const show = (value: Rating | null) =>
    queryClient.setQueryData<StoredConversation>(
      query.queryKey,
      (known) => known && withRating(known, messageId, value ?? undefined),
    )
  const { mutate } = useMutation({
    mutationKey,
    // one after another: the last press counts
    scope: { id: mutationKey.join(' ') },
    mutationFn: (value: Rating | null) =>
      callApi('messages.rate', { params: { sessionId, messageId }, body: { rating: value } }),
    onMutate: (value) => {
      if (queryClient.isMutating({ mutationKey }) === 1) stored.current = rating ?? null
      show(value)
    },
    onSuccess: (_, value) => {
      stored.current = value
    },
    onError: (error) =>
      showToast('error', 'Your rating could not be saved', { description: errorMessage(error) }),
    onSettled: () => {
      // a later press is on its way; a read that was on its way has what was stored before
      if (queryClient.isMutating({ mutationKey }) === 1) show(stored.current)
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
