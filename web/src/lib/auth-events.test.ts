import { Hub } from '@aws-amplify/core'
import { AMPLIFY_SYMBOL } from '@aws-amplify/core/internals/utils'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { emitSignOut, onAuthEvent, type AuthEvent } from './auth-events.ts'

let events: AuthEvent[]
let stop: () => void
beforeEach(() => {
  events = []
  stop = onAuthEvent((event) => events.push(event))
})
afterEach(() => stop())

/** What the sign-in library dispatches. */
const dispatch = (event: string) => Hub.dispatch('auth', { event }, 'Auth', AMPLIFY_SYMBOL)

it.each([
  ['signedIn', 'signed-in'],
  ['signedOut', 'ended'],
  ['tokenRefresh', 'renewed'],
  ['tokenRefresh_failure', 'refused'],
])('AUTH-14 DEC-130 %s of the library is heard as %s', (event, expected) => {
  dispatch(event)
  expect(events).toEqual([expected])
})

it('AUTH-14 an event of the library that changes nothing is not heard, and none after listening has stopped', () => {
  dispatch('signInWithRedirect')
  stop()
  dispatch('signedIn')
  emitSignOut('ended')
  expect(events).toEqual([])
})
