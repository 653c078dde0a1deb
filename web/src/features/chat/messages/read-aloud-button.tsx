import { Square, Volume2 } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { useStore } from '../../../lib/create-store.ts'
import {
  hasVoices,
  readingId,
  readReplyText,
  startReading,
  stopReading,
  subscribeToVoices,
} from './read-aloud.ts'
import * as texts from './texts.tsx'

/** Reads a reply aloud, and stops. Nothing where the browser has no voice. @param text of the reply, as long as it is shown as plain text */
export function ReadAloudButton({ messageId, text }: { messageId: string; text: string }) {
  const isAvailable = useSyncExternalStore(subscribeToVoices, hasVoices)
  const isReading = useStore(readingId) === messageId
  useEffect(
    () => () => {
      if (readingId.getState() === messageId) stopReading()
    },
    [messageId],
  )
  if (!isAvailable) return null
  return (
    <IconButton
      size="sm"
      label={isReading ? texts.stopReading : texts.readAloud}
      icon={isReading ? <Square size={14} /> : <Volume2 size={16} />}
      onClick={({ currentTarget }) => {
        const reply = currentTarget.closest('.is-reply')?.querySelector('[data-reply-text]')
        if (isReading) stopReading()
        else startReading(messageId, reply ? readReplyText(reply) : text)
      }}
    />
  )
}
