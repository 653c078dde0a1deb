import { createStore } from '../../lib/browser/create-store.ts'

/**
 * The choice whether the new chat is temporary; null if there is none. The conversation that is shown sets it, and `TemporarySwitch` in
 * the bar above reads it.
 */
export const temporaryChoice = createStore<{
  isTemporary: boolean
  choose: (isTemporary: boolean) => void
} | null>(null)
