import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { removeSession, storeSession } from '../../../../test/support/fake-api.ts'
import { announceSignOut, emitAuthEvent, onAuthEvent, type AuthEvent } from './auth-events.ts'

let events: AuthEvent[]
let unsubscribe: () => void
beforeEach(() => {
  localStorage.clear()
  events = []
  unsubscribe = onAuthEvent((event) => events.push(event))
})
afterEach(() => unsubscribe())

/** What this tab hears of a change in another. */
const hear = (key: string, newValue: string | null = null) =>
  dispatchEvent(new StorageEvent('storage', { key, newValue }))
const refreshTokenOf = (user: string) => `CognitoIdentityServiceProvider.client.${user}.refreshToken`

it('AUTH-14 DEC-130 learns from the storage that another tab has new tokens, or has removed them', () => {
  storeSession()
  hear(refreshTokenOf('u1'), 'refresh-1')
  expect(events).toEqual(['changed'])
  hear('CognitoIdentityServiceProvider.client.u1.accessToken', 'written before the refresh token')
  hear('draft:new.refreshToken', 'something else')
  expect(events).toEqual(['changed'])
  removeSession()
  hear(refreshTokenOf('u1'))
  expect(events).toEqual(['changed', 'expired'])
})

it('the tokens that another tab removes for a new sign-in do not end that one', () => {
  storeSession()
  hear(refreshTokenOf('an-earlier-user'))
  expect(events).toEqual(['changed'])
})

it('learns from the storage that the user has signed out in another tab', () => {
  hear('juno.sign-out', '1')
  hear('juno.sign-out')
  hear('juno.docked', 'true')
  expect(events).toEqual(['signed-out'])
})

it('announces a sign-out and leaves nothing in the storage', () => {
  const write = vi.spyOn(Storage.prototype, 'setItem')
  announceSignOut()
  expect(write).toHaveBeenCalledExactlyOnceWith('juno.sign-out', expect.any(String))
  expect(localStorage.length).toBe(0)
})

it('AUTH-14 ignores all events after unsubscribing', () => {
  storeSession()
  unsubscribe()
  hear(refreshTokenOf('u1'))
  emitAuthEvent('ended')
  expect(events).toEqual([])
})
