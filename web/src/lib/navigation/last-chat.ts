import { readStoredJson, removeStored, writeStored } from '../browser/storage.ts'

/** In the tab's storage: connecting a tool may lead through pages of a provider. */
const storageKey = 'juno.last-chat'

interface LastChat {
  userId: string
  path: string
  /** position of its entry in the tab's history; null if unknown */
  index: number | null
}

/** The position of the shown entry in the tab's history, as React Router numbers them. @returns null if the router has not numbered it */
export function readHistoryIndex(): number | null {
  const { idx } = (history.state ?? {}) as { idx?: unknown }
  return typeof idx === 'number' ? idx : null
}

/** Remembers the chat that is shown. @param path with the query */
export const rememberChat = (userId: string, path: string): void =>
  void writeStored(
    'session',
    storageKey,
    JSON.stringify({ userId, path, index: readHistoryIndex() } satisfies LastChat),
  )

/** What this tab has stored of the last chat; fields may be missing or of another type. */
export const readLastChat = () =>
  (readStoredJson('session', storageKey) ?? {}) as { [Name in keyof LastChat]?: unknown }

/**
 * Forgets the last chat: at a sign-out, when conversations were deleted, or when another user signs in.
 * @param exceptUserId the user who signs in: their own chat is kept
 */
export function forgetLastChat({ exceptUserId }: { exceptUserId?: string } = {}): void {
  if (exceptUserId === undefined || readLastChat().userId !== exceptUserId)
    removeStored('session', storageKey)
}
