import { t } from '@lingui/core/macro'
import { Square, Volume2 } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { useStore } from '../../../lib/browser/create-store.ts'
import {
  hasVoices,
  loadReader,
  spokenMessageId,
  startReading,
  stopReading,
  subscribeToVoices,
} from './speech.ts'

/** Loads the code ahead of a click, which reports a failure. */
const preload = () => void loadReader().catch(() => undefined)

/**
 * Starts and stops reading a reply aloud; reading also stops when the button is unmounted. Renders nothing where the browser has no voice.
 * @param text is read while the reply is shown as plain text; afterwards the rendered reply is
 */
export function ReadAloudButton({ messageId, text }: { messageId: string; text: string }) {
  const isAvailable = useSyncExternalStore(subscribeToVoices, hasVoices)
  const isReading = useStore(spokenMessageId) === messageId
  useEffect(
    () => () => {
      if (spokenMessageId.getState() === messageId) stopReading()
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
        startReading(messageId, reply ?? text).catch((cause: unknown) =>
          showToast('error', t`The reply could not be read aloud. Please try again.`, { cause }),
        )
      }}
    />
  )
}
