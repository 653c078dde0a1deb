import { t } from '@lingui/core/macro'
import type { ChatMessage } from '../state/chat-message.ts'
import { Separator } from './separator.tsx'

/** Stands above the first message that the model still sees. A temporary chat has no summary of those before. */
export function ContextSeparator({ isTemporary }: { isTemporary: boolean }) {
  return (
    <Separator
      label={
        isTemporary
          ? t`The messages above no longer fit. The assistant no longer sees them.`
          : t`The messages above no longer fit. The assistant has at most a summary of them.`
      }
    />
  )
}

/** The id of the first message that the model was sent for the newest reply of which that is known; undefined if it was sent all messages. */
export function findContextStart(messages: readonly ChatMessage[]): string | undefined {
  const index = messages.findLastIndex(({ usage }) => usage)
  const { contextStart, contextTurns } = messages[index]?.usage ?? {}
  if (contextStart !== undefined || contextTurns === undefined) return contextStart
  return messages
    .slice(0, index)
    .filter(({ role, unacknowledged }) => role === 'user' && !unacknowledged)
    .at(-contextTurns)?.id
}
