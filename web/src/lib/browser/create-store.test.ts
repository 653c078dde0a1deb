import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { createStore, useStore } from './create-store.ts'

it('notifies subscribers of each new value, but not of an equal one', () => {
  const store = createStore(1)
  const listener = vi.fn<() => void>()
  const unsubscribe = store.subscribe(listener)
  store.setState(1)
  expect(listener).not.toHaveBeenCalled()
  store.setState(2)
  expect(store.getState()).toBe(2)
  expect(listener).toHaveBeenCalledOnce()
  unsubscribe()
  store.setState(3)
  expect(listener).toHaveBeenCalledOnce()
})

it('renders a component again with the new value', () => {
  const store = createStore('before')
  const { result } = renderHook(() => useStore(store))
  expect(result.current).toBe('before')
  act(() => store.setState('after'))
  expect(result.current).toBe('after')
})
