import { useSyncExternalStore } from 'react'

/** A value that outlives the components that show it. Its functions work detached from the store. */
export interface Store<State> {
  getState: () => State
  /** Does nothing when the value is unchanged. */
  setState: (next: State) => void
  /** @returns unsubscribes */
  subscribe: (listener: () => void) => () => void
}

/** A value that components follow with `useStore`. Setting the same value again notifies nobody. */
export function createStore<State>(initial: State): Store<State> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    getState: () => state,
    setState: (next) => {
      if (Object.is(next, state)) return
      state = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Subscribes to a store. */
export function useStore<State>({ subscribe, getState }: Store<State>): State {
  return useSyncExternalStore(subscribe, getState)
}
