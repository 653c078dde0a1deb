import { beforeEach, describe, expect, it } from 'vitest'
import { removeAttempt, loadLatestAttempt, saveAttempt } from './oauth-attempt.ts'

const attempt = { mcpId: 'slack', clientId: 'c1', environment: 'sandbox', timestamp: 5 } as const

describe('OAUTH-05 the record of a flow', () => {
  beforeEach(() => localStorage.clear())

  it('holds tool id, client id, environment and time, under the tool id', () => {
    saveAttempt(attempt)
    expect(JSON.parse(localStorage.getItem('oauth_state_slack') ?? '')).toEqual(attempt)
    expect(loadLatestAttempt()).toEqual(attempt)
    removeAttempt('slack')
    expect(loadLatestAttempt()).toBeUndefined()
  })

  it('stays when an earlier flow of the same tool ends', () => {
    saveAttempt(attempt)
    removeAttempt('slack', 4)
    expect(loadLatestAttempt()).toEqual(attempt)
    removeAttempt('slack', 5)
    expect(loadLatestAttempt()).toBeUndefined()
  })

  it.each([[undefined], ['production'], ['staging'], [7]])(
    'is of the live environment where it says %j',
    (environment) => {
      localStorage.setItem('oauth_state_slack', JSON.stringify({ ...attempt, environment }))
      expect(loadLatestAttempt()?.environment).toBe('production')
    },
  )

  it('is the newest where there are several, and none where it cannot be read', () => {
    saveAttempt(attempt)
    saveAttempt({ ...attempt, mcpId: 'github', timestamp: 9 })
    expect(loadLatestAttempt()?.mcpId).toBe('github')
    localStorage.clear()
    localStorage.setItem('oauth_state_slack', '{"mcpId":"slack"}')
    expect(loadLatestAttempt()).toBeUndefined()
  })
})
