import { useCallback, type MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { newChatPath } from './new-chat.ts'
import { readStoredJson, removeStored, writeStored } from './storage.ts'

/** In the tab's storage: connecting a tool may lead through pages of a provider. */
const storageKey = 'juno.last-chat'

interface LastChat {
  userId: string
  path: string
  /** position of its entry in the tab's history; null if unknown */
  index: number | null
}

/** The position of the entry that is shown, as the router numbers them. */
function readIndex(): number | null {
  const { idx } = (history.state ?? {}) as { idx?: unknown }
  return typeof idx === 'number' ? idx : null
}

/** Remembers the chat that is shown. @param path with the query */
export const rememberChat = (userId: string, path: string): void =>
  void writeStored(
    'session',
    storageKey,
    JSON.stringify({ userId, path, index: readIndex() } satisfies LastChat),
  )

const readLastChat = () =>
  (readStoredJson('session', storageKey) ?? {}) as { [Name in keyof LastChat]?: unknown }

/** Forgets the last chat, at sign-out or when conversations were deleted. @param exceptUserId whose chat is kept */
export function forgetLastChat({ exceptUserId }: { exceptUserId?: string } = {}): void {
  if (exceptUserId === undefined || readLastChat().userId !== exceptUserId)
    removeStored('session', storageKey)
}

/** The address of the chat that this tab has shown last; of a new one if there is none. */
export function lastChatPath(): string {
  const { path } = readLastChat()
  return typeof path === 'string' && /^\/(?:\?|$)/.test(path) ? path : newChatPath()
}

/**
 * The way back to the last chat, from a page without one.
 * @returns its address, and the handler of a link or button: it goes back in the history if the chat is the entry before this one
 */
export function useBackToChat(): { path: string; onBack: (event?: MouseEvent) => void } {
  const navigate = useNavigate()
  const onBack = useCallback(
    (event?: MouseEvent) => {
      // a new tab or window
      if (event && (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) return
      event?.preventDefault()
      const { index } = readLastChat()
      if (typeof index === 'number' && readIndex() === index + 1) void navigate(-1)
      else void navigate(lastChatPath())
    },
    [navigate],
  )
  return { path: lastChatPath(), onBack }
}
