import { Hub } from '@aws-amplify/core'
import { AMPLIFY_SYMBOL } from '@aws-amplify/core/internals/utils'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { announceSignOut, emitSignOut, onAuthEvent, type AuthEvent } from './auth-events.ts'

let events: AuthEvent[]
let unsubscribe: () => void
beforeEach(() => {
  events = []
  unsubscribe = onAuthEvent((event) => events.push(event))
})
afterEach(() => unsubscribe())

/** Dispatches an event as the sign-in library does. */
const dispatch = (event: string, errorName?: string) => {
  const data = errorName !== undefined && { error: Object.assign(new Error('refused'), { name: errorName }) }
  Hub.dispatch('auth', { event, data }, 'Auth', AMPLIFY_SYMBOL)
}

it.each([
  ['signedIn', undefined, ['signed-in']],
  ['signedOut', undefined, ['expired']],
  ['tokenRefresh', undefined, ['refreshed']],
  ['tokenRefresh_failure', 'NotAuthorizedException', ['expired']],
  ['tokenRefresh_failure', 'RefreshTokenReuseException', ['expired']],
  // the tokens stay
  ['tokenRefresh_failure', 'TooManyRequestsException', []],
  ['tokenRefresh_failure', undefined, []],
])('AUTH-14 DEC-130 LIB-06 translates the library’s event %s (%s) to %j', (event, errorName, expected) => {
  dispatch(event, errorName)
  expect(events).toEqual(expected)
})

it('learns from the storage that the user has signed out in another tab', () => {
  const store = (key: string, newValue: string | null) =>
    dispatchEvent(new StorageEvent('storage', { key, newValue }))
  store('juno.sign-out', '1')
  store('juno.sign-out', null)
  store('juno.docked', 'true')
  expect(events).toEqual(['signed-out'])
})

it('announces a sign-out and leaves nothing in the storage', () => {
  const write = vi.spyOn(Storage.prototype, 'setItem')
  announceSignOut()
  expect(write).toHaveBeenCalledExactlyOnceWith('juno.sign-out', expect.any(String))
  expect(localStorage.length).toBe(0)
})

it('AUTH-14 ignores other events of the library, and all events after unsubscribing', () => {
  dispatch('signInWithRedirect')
  unsubscribe()
  dispatch('signedIn')
  emitSignOut('ended')
  expect(events).toEqual([])
})
