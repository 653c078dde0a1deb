import { readStoredJson, writeStored } from '../../../lib/browser/storage.ts'

const key = 'oauth_redeemed'
/** Older ones are dropped: nobody opens their callback addresses again. */
const maxStates = 10

/** An OAuth `state` whose code was exchanged, and the integration that it connected. */
type RedeemedState = [state: string, mcpId: string]

function loadStates(): RedeemedState[] {
  const stored = readStoredJson('local', key)
  return Array.isArray(stored)
    ? stored.filter(
        (one): one is RedeemedState =>
          Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string'),
      )
    : []
}

/** Stores which integration a `state` has connected, so that its callback address can be opened again. A state is used once. */
export function saveRedeemedState(state: string, mcpId: string): void {
  const newest: RedeemedState[] = [[state, mcpId], ...loadStates()]
  writeStored('local', key, JSON.stringify(newest.slice(0, maxStates)))
}

/** Finds the integration that this browser has connected with a `state`. @returns undefined for an unknown one, and for one that was dropped since */
export const findRedeemedIntegration = (state: string): string | undefined =>
  loadStates().find(([redeemed]) => redeemed === state)?.[1]
