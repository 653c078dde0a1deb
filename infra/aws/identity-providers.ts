import { Aws, CfnOutput, SecretValue, type Stack } from 'aws-cdk-lib'
import {
  ManagedLoginVersion,
  ProviderAttribute,
  UserPoolIdentityProviderGoogle,
  UserPoolIdentityProviderOidc,
  UserPoolIdentityProviderSaml,
  UserPoolIdentityProviderSamlMetadata,
  type AttributeMapping,
  type UserPool,
} from 'aws-cdk-lib/aws-cognito'
import { formatProviderConfigs, groupsAttribute, type IdentityProvider } from '#shared/identity-providers.ts'
import type { Config } from './config.ts'

/**
 * Adds Google, the operator's identity providers, and the hosted pages that lead to them and back.
 * @returns the origin of the hosted pages; undefined without a provider
 */
export function addIdentityProviders(
  stack: Stack,
  userPool: UserPool,
  { google, identityProviders, prefix }: Config,
): string | undefined {
  if (!google && identityProviders.length === 0) return undefined
  const origin = addHostedPages(stack, userPool, prefix)
  const redirectUri = `${origin}/oauth2/idpresponse`
  if (google) {
    addGoogle(stack, userPool, google)
    new CfnOutput(stack, 'GoogleRedirectUri', { value: redirectUri })
  }
  for (const provider of identityProviders) addProvider(stack, userPool, provider)
  // https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html
  if (identityProviders.some(({ type }) => type === 'oidc'))
    new CfnOutput(stack, 'OidcRedirectUri', { value: redirectUri })
  if (identityProviders.some(({ type }) => type === 'saml')) {
    new CfnOutput(stack, 'SamlAcsUrl', { value: `${origin}/saml2/idpresponse` })
    new CfnOutput(stack, 'SamlEntityId', { value: `urn:amazon:cognito:sp:${userPool.userPoolId}` })
  }
  return origin
}

function addHostedPages(stack: Stack, userPool: UserPool, prefix: string): string {
  // prefixes are unique in a region across all accounts, hence the account id
  const domainPrefix = `${prefix}-${Aws.ACCOUNT_ID}`
  const domain = userPool.addDomain('Domain', {
    cognitoDomain: { domainPrefix },
    // the classic hosted UI ignores `prompt`: https://docs.aws.amazon.com/cognito/latest/developerguide/authorization-endpoint.html
    managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
  })
  // web stacks that were deployed before ADR 0017 still import it
  stack.exportValue(domain.domainName)
  // not a reference to the domain, with which it could not be deleted with the last provider (ADR 0017)
  return `https://${domainPrefix}.auth.${Aws.REGION}.amazoncognito.com`
}

function addGoogle(
  stack: Stack,
  userPool: UserPool,
  { clientId, secretName }: NonNullable<Config['google']>,
) {
  new UserPoolIdentityProviderGoogle(stack, 'Google', {
    userPool,
    clientId,
    clientSecretValue: SecretValue.secretsManager(secretName),
    scopes: ['openid', 'email', 'profile'],
    attributeMapping: {
      email: ProviderAttribute.GOOGLE_EMAIL,
      emailVerified: ProviderAttribute.GOOGLE_EMAIL_VERIFIED,
      fullname: ProviderAttribute.GOOGLE_NAME,
    },
  })
}

/** SAML attributes that Entra ID and AD FS send without a setting. */
const samlClaims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

function addProvider(stack: Stack, userPool: UserPool, provider: IdentityProvider) {
  const { name, groupsClaim } = provider
  const id = `IdentityProvider${name}`
  const groups: AttributeMapping = groupsClaim
    ? { custom: { [groupsAttribute]: ProviderAttribute.other(groupsClaim) } }
    : {}
  if (provider.type === 'saml') {
    new UserPoolIdentityProviderSaml(stack, id, {
      userPool,
      name,
      metadata: UserPoolIdentityProviderSamlMetadata.url(provider.metadataUrl),
      attributeMapping: {
        email: ProviderAttribute.other(`${samlClaims}/emailaddress`),
        fullname: ProviderAttribute.other(`${samlClaims}/name`),
        ...groups,
      },
    })
    return
  }
  new UserPoolIdentityProviderOidc(stack, id, {
    userPool,
    name,
    clientId: provider.clientId,
    // a reference that CloudFormation resolves: templates do not contain the secret
    clientSecret: SecretValue.secretsManager(provider.secretName).unsafeUnwrap(),
    issuerUrl: provider.issuer,
    scopes: ['openid', 'email', 'profile'],
    attributeMapping: {
      email: ProviderAttribute.other('email'),
      emailVerified: ProviderAttribute.other('email_verified'),
      fullname: ProviderAttribute.other('name'),
      ...groups,
    },
  })
}

/** The identity providers' settings for functions, also if there are none. */
export const providerEnvironment = ({
  google,
  identityProviders,
}: Pick<Config, 'google' | 'identityProviders'>) => ({
  IDENTITY_PROVIDERS: formatProviderConfigs(identityProviders, { hasGoogle: google !== undefined }),
})

/** The settings of triggers that decide who may sign in. */
export const signInEnvironment = (
  config: Pick<Config, 'google' | 'identityProviders' | 'passwordSignIn'>,
) => ({
  ...providerEnvironment(config),
  PASSWORD_SIGN_IN: config.passwordSignIn ? 'on' : 'off',
})
