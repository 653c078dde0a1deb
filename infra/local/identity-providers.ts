import { randomBytes } from 'node:crypto'
import { groupsAttribute, type IdentityProvider } from '#shared/identity-providers.ts'
import type { IdentityProviderDouble } from './doubles/identity-provider/server.ts'
import type { CognitoEmulator } from './emulators/cognito/start-cognito-emulator.ts'
import type { LocalSettings } from './settings.ts'

/** The attributes of the pool and its client, as the stacks define them: what a provider's claims fill has to be writable. */
export const listPoolAttributes = ({ identityProviders }: Pick<LocalSettings, 'identityProviders'>) => ({
  customAttributes: [groupsAttribute],
  writeAttributes: ['email', 'name', ...(identityProviders ? [groupsAttribute] : [])],
})

/** A provider as an operator would configure it. */
export type LocalIdentityProvider = Extract<IdentityProvider, { type: 'oidc' }>

/**
 * Starts a provider to try, registers the pool there, and adds it to the pool.
 * @param onStart gets the provider's server as soon as it runs
 */
export async function startDemoProvider(
  cognito: CognitoEmulator,
  onStart: (server: IdentityProviderDouble) => void,
): Promise<LocalIdentityProvider> {
  // the library is loaded only when it is needed
  const { startIdentityProvider } = await import('./doubles/identity-provider/server.ts')
  const label = 'Example Corp'
  const double = await startIdentityProvider({
    label,
    person: { email: 'sam@corp.example', name: 'Sam Example', groups: ['staff'] },
  })
  onStart(double)
  const provider = {
    name: 'ExampleCorp',
    label,
    type: 'oidc',
    domains: ['corp.example'],
    groupsClaim: 'groups',
    adminGroup: 'assistant-admins',
    issuer: double.url,
    clientId: 'juno-local',
    secretName: 'juno/local/example-corp',
  } as const satisfies Partial<IdentityProvider>
  const { clientId } = provider
  const clientSecret = randomBytes(32).toString('base64url')
  double.register({ clientId, clientSecret, redirectUris: [`${cognito.url}/oauth2/idpresponse`] })
  await cognito.addIdentityProvider({
    name: provider.name,
    issuer: provider.issuer,
    clientId,
    clientSecret,
    scopes: ['openid', 'email', 'profile'],
    attributeMapping: {
      email: 'email',
      email_verified: 'email_verified',
      name: 'name',
      [groupsAttribute]: provider.groupsClaim,
    },
  })
  return { ...provider, domains: [...provider.domains] }
}
