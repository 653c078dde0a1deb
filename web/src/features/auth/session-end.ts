import { serverNow } from '../../lib/browser/server-clock.ts'
import { readStored, removeStored, writeStored } from '../../lib/browser/storage.ts'
import type { EndReason, SessionEnd } from './auth-context.ts'

/** Stored while the page says why its session has ended, so that it says so again if it is reloaded meanwhile. */
const storageKey = 'juno.session-ended'

/** Whether an event, or what is stored, says why a session has ended. */
export const isEndReason = (value: string | null | undefined): value is EndReason =>
  value === 'expired' || value === 'revoked' || value === 'disabled'

/** Why and when the session of this tab has ended, while the user is being told. */
export function readSessionEnd(): SessionEnd | undefined {
  const [reason, at] = readStored('session', storageKey)?.split(' ') ?? []
  // a page of an earlier release has stored no time
  return isEndReason(reason) ? { reason, atMs: Number(at) || serverNow() } : undefined
}

/** Stores why and when the session has ended. @param ended undefined once the user has been told */
export function storeSessionEnd(ended: SessionEnd | undefined): void {
  if (ended) writeStored('session', storageKey, `${ended.reason} ${ended.atMs}`)
  else removeStored('session', storageKey)
}
