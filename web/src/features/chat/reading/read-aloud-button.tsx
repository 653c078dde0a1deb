import { t } from '@lingui/core/macro'
import { Square, Volume2 } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { useStore } from '../../../lib/create-store.ts'
import { hasVoices, loadReader, readingId, startReading, stopReading, subscribeToVoices } from './reading.ts'

/** A failure is reported by the click. */
const preload = () => void loadReader().catch(() => undefined)

/**
 * Reads a reply aloud, and stops. Renders nothing where the browser has no voice.
 * @param text read while the renderer of Markdown is not loaded; afterwards the shown reply is read
 */
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
      label={isReading ? t`Stop reading` : t`Read aloud`}
      icon={isReading ? <Square size={14} /> : <Volume2 size={16} />}
      onPointerEnter={preload}
      onPointerDown={preload}
      onFocus={preload}
      onClick={({ currentTarget }) => {
        if (isReading) return stopReading()
        const reply = currentTarget.closest('.is-reply')?.querySelector('[data-reply-text]')
        startReading(messageId, reply ?? text).catch(() =>
          showToast('error', t`The reply could not be read aloud. Please try again.`),
        )
      }}
    />
  )
}
