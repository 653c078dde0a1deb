import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { describeOperatorApps, loadOperatorApps } from './operator-apps.ts'

const secrets = mockClient(SecretsManagerClient)
beforeEach(() => {
  secrets.reset()
  vi.stubEnv('AWS_REGION', 'eu-central-1')
})

it('an operator without apps needs no secret', async () => {
  expect(await loadOperatorApps()).toEqual({})
  vi.stubEnv('PROVIDER_APPS_SECRET', '')
  expect(await loadOperatorApps()).toEqual({})
  expect(secrets.calls()).toEqual([])
})

it('reads the apps from the secret, each with its client id', async () => {
  vi.stubEnv('PROVIDER_APPS_SECRET', 'juno/apps')
  const apps = { slack: { clientId: 'c', clientSecret: 's' }, linear: { clientId: 'd' } }
  secrets
    .on(GetSecretValueCommand, { SecretId: 'juno/apps' })
    .resolves({ SecretString: JSON.stringify(apps) })
  expect(await loadOperatorApps()).toEqual(apps)
})

it('keeps the last valid apps when the secret becomes invalid, also after a cold start', async () => {
  vi.stubEnv('LOG_LEVEL', 'silent')
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  vi.stubEnv('PROVIDER_APPS_SECRET', 'juno/later-apps')
  const apps = { slack: { clientId: 'c' } }
  secrets.on(GetSecretValueCommand).resolves({ SecretString: JSON.stringify(apps) })
  expect(await loadOperatorApps()).toEqual(apps)
  secrets.on(GetSecretValueCommand).resolves({ SecretString: '{"slack": {"cli' })
  vi.setSystemTime(Date.now() + 600_000)
  expect(await loadOperatorApps()).toEqual(apps)
  // another function, which has never read a valid value
  vi.stubEnv('PROVIDER_APPS_SECRET', 'juno/cold-apps')
  secrets
    .on(GetSecretValueCommand, { SecretId: 'juno/cold-apps', VersionStage: 'AWSPREVIOUS' })
    .resolves({ SecretString: JSON.stringify(apps) })
  expect(await loadOperatorApps()).toEqual(apps)
})

it('rejects an app without a client id', async () => {
  vi.stubEnv('PROVIDER_APPS_SECRET', 'juno/broken-apps')
  const apps = { slack: { clientId: '' } }
  secrets.on(GetSecretValueCommand).resolves({ SecretString: JSON.stringify(apps) })
  await expect(loadOperatorApps()).rejects.toThrow('clientId')
})

describe('what administrators see of the apps', () => {
  const describeWith = async (name: string, answer: string | Error) => {
    vi.stubEnv('LOG_LEVEL', 'silent')
    vi.stubEnv('PROVIDER_APPS_SECRET', name)
    if (typeof answer === 'string') secrets.on(GetSecretValueCommand).resolves({ SecretString: answer })
    else secrets.on(GetSecretValueCommand).rejects(answer)
    return describeOperatorApps()
  }

  it('is which integrations have one, and which ids are no integration that takes one, without a value of an app', async () => {
    const app = { clientId: 'the-client', clientSecret: 'the-secret' }
    // Stripe takes a key
    const found = await describeWith(
      'juno/described',
      JSON.stringify({ slack: app, google_drive: app, stripe: app }),
    )
    expect(found).toMatchObject({ problem: null, unknown: ['google_drive', 'stripe'] })
    expect(found.integrations.filter(({ has_app }) => has_app)).toEqual([
      { id: 'slack', name: 'Slack', has_app: true },
    ])
    expect(found.integrations.map(({ id }) => id)).toContain('gmail')
    expect(JSON.stringify(found)).not.toMatch(/the-client|the-secret/)
  })

  it.each([
    ['invalid', 'not JSON'],
    ['invalid', '{"slack":{}}'],
    ['unreadable', new Error('denied')],
  ] as const)('is %s', async (problem, answer) => {
    const found = await describeWith(`juno/${problem}-${String(answer)}`, answer)
    expect(found).toMatchObject({ problem, unknown: [] })
    expect(found.integrations.some(({ has_app }) => has_app)).toBe(false)
  })
})
