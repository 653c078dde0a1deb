import { readStored, removeStored, writeStored } from '../../lib/storage.ts'
import type { SessionEnd } from './auth-context.ts'

/** Stored while the page says why its session has ended, so that it says so again if it is reloaded meanwhile. */
const storageKey = 'juno.session-ended'

/** Whether an event, or what is stored, is the end of a session. */
export const isSessionEnd = (value: string | null): value is SessionEnd =>
  value === 'expired' || value === 'revoked' || value === 'disabled'

/** Why the session of this tab has ended, while the user is being told. */
export function readSessionEnd(): SessionEnd | undefined {
  const ended = readStored('session', storageKey)
  return isSessionEnd(ended) ? ended : undefined
}

/** Stores why the session has ended. @param ended undefined once the user has been told */
export function storeSessionEnd(ended: SessionEnd | undefined): void {
  if (ended) writeStored('session', storageKey, ended)
  else removeStored('session', storageKey)
}
