import { beforeEach, describe, expect, it } from 'vitest'
import { forgetAttempt, latestAttempt, rememberAttempt } from './oauth-attempt.ts'

const attempt = { mcpId: 'slack', clientId: 'c1', environment: 'sandbox', timestamp: 5 } as const

describe('OAUTH-05 the record of a flow', () => {
  beforeEach(() => localStorage.clear())

  it('holds tool id, client id, environment and time, under the tool id', () => {
    rememberAttempt(attempt)
    expect(JSON.parse(localStorage.getItem('oauth_state_slack') ?? '')).toEqual(attempt)
    expect(latestAttempt()).toEqual(attempt)
    forgetAttempt('slack')
    expect(latestAttempt()).toBeUndefined()
  })

  it.each([[undefined], ['production'], ['staging'], [7]])(
    'is of the live environment where it says %j',
    (environment) => {
      localStorage.setItem('oauth_state_slack', JSON.stringify({ ...attempt, environment }))
      expect(latestAttempt()?.environment).toBe('production')
    },
  )

  it('is the newest where there are several, and none where it cannot be read', () => {
    rememberAttempt(attempt)
    rememberAttempt({ ...attempt, mcpId: 'github', timestamp: 9 })
    expect(latestAttempt()?.mcpId).toBe('github')
    localStorage.clear()
    localStorage.setItem('oauth_state_slack', '{"mcpId":"slack"}')
    expect(latestAttempt()).toBeUndefined()
  })
})
