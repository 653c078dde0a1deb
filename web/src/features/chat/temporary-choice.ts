import { createStore } from '../../lib/create-store.ts'

/** Whether the new chat will be temporary, and how to choose; null if there is no choice. Set by the open chat, for the bar above it. */
export const temporaryChoice = createStore<{
  isTemporary: boolean
  choose: (isTemporary: boolean) => void
} | null>(null)
