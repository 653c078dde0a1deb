import { listStoredKeys, readStored, readStoredJson, removeStored, writeStored } from './storage.ts'

/**
 * What was entered in the open cards of conversations, for a reload of this tab. It ends with the tab and with the session. Forms of
 * servers have no fields for secrets: the server refuses such forms.
 */
const prefix = 'juno.entered:'
const ownerKey = 'juno.entered-by'

/** @returns what was entered, not validated; null without anything */
export const readEntered = (key: string): unknown => readStoredJson('session', prefix + key)

export function saveEntered(key: string, value: unknown): void {
  writeStored('session', prefix + key, JSON.stringify(value))
}

export const removeEntered = (key: string): void => removeStored('session', prefix + key)

export function removeAllEntered(): void {
  for (const key of listStoredKeys('session', prefix)) removeStored('session', key)
}

/** Removes what another user has entered in this tab. */
export function removeEnteredOfOthers(userId: string): void {
  if (readStored('session', ownerKey) !== userId) removeAllEntered()
  writeStored('session', ownerKey, userId)
}
