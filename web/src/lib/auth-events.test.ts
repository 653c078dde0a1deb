import { Hub } from '@aws-amplify/core'
import { AMPLIFY_SYMBOL } from '@aws-amplify/core/internals/utils'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { emitSignOut, onAuthEvent, type AuthEvent } from './auth-events.ts'

let events: AuthEvent[]
let unsubscribe: () => void
beforeEach(() => {
  events = []
  unsubscribe = onAuthEvent((event) => events.push(event))
})
afterEach(() => unsubscribe())

/** Dispatches an event as the sign-in library does. */
const dispatch = (event: string) => Hub.dispatch('auth', { event }, 'Auth', AMPLIFY_SYMBOL)

it.each([
  ['signedIn', 'signed-in'],
  ['signedOut', 'ended'],
  ['tokenRefresh', 'refreshed'],
  ['tokenRefresh_failure', 'refresh-failed'],
])('AUTH-14 DEC-130 translates the library’s event %s to %s', (event, expected) => {
  dispatch(event)
  expect(events).toEqual([expected])
})

it('AUTH-14 ignores other events of the library, and all events after unsubscribing', () => {
  dispatch('signInWithRedirect')
  unsubscribe()
  dispatch('signedIn')
  emitSignOut('ended')
  expect(events).toEqual([])
})
