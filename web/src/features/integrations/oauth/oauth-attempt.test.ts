import { beforeEach, describe, expect, it } from 'vitest'
import { removeAttempt, loadLatestAttempt, saveAttempt } from './oauth-attempt.ts'

const attempt = { mcpId: 'slack', clientId: 'c1', environment: 'sandbox', timestamp: 5 } as const

describe('OAUTH-05 the stored attempt', () => {
  beforeEach(() => localStorage.clear())

  it('contains tool ID, client ID, environment and time, stored under the tool ID', () => {
    saveAttempt(attempt)
    expect(JSON.parse(localStorage.getItem('oauth_state_slack') ?? '')).toEqual(attempt)
    expect(loadLatestAttempt()).toEqual(attempt)
    removeAttempt('slack')
    expect(loadLatestAttempt()).toBeUndefined()
  })

  it('is not removed when an earlier flow for the same tool ends', () => {
    saveAttempt(attempt)
    removeAttempt('slack', 4)
    expect(loadLatestAttempt()).toEqual(attempt)
    removeAttempt('slack', 5)
    expect(loadLatestAttempt()).toBeUndefined()
  })

  it.each([[undefined], ['production'], ['staging'], [7]])(
    'has the live environment if the stored value is %j',
    (environment) => {
      localStorage.setItem('oauth_state_slack', JSON.stringify({ ...attempt, environment }))
      expect(loadLatestAttempt()?.environment).toBe('production')
    },
  )

  it('is the newest if there are several, and is ignored if it is invalid', () => {
    saveAttempt(attempt)
    saveAttempt({ ...attempt, mcpId: 'github', timestamp: 9 })
    expect(loadLatestAttempt()?.mcpId).toBe('github')
    localStorage.clear()
    localStorage.setItem('oauth_state_slack', '{"mcpId":"slack"}')
    expect(loadLatestAttempt()).toBeUndefined()
  })
})
