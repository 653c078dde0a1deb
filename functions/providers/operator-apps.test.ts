import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { beforeEach, expect, it, vi } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { loadOperatorApps } from './operator-apps.ts'

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

it('rejects an app without a client id', async () => {
  vi.stubEnv('PROVIDER_APPS_SECRET', 'juno/broken-apps')
  const apps = { slack: { clientId: '' } }
  secrets.on(GetSecretValueCommand).resolves({ SecretString: JSON.stringify(apps) })
  await expect(loadOperatorApps()).rejects.toThrow('clientId')
})
