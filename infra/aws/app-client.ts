import { Duration } from 'aws-cdk-lib'
import {
  CfnManagedLoginBranding,
  ClientAttributes,
  OAuthScope,
  UserPoolClient,
  UserPoolClientIdentityProvider,
  type IUserPool,
} from 'aws-cdk-lib/aws-cognito'
import type { Construct } from 'constructs'
import { groupsAttribute } from '#shared/identity-providers.ts'
import type { Config } from './config.ts'

/** Adds the page's client of the user pool. It signs in by SRP, or with an identity provider through Cognito's managed login. */
export function addAppClient(
  scope: Construct,
  {
    userPool,
    origin,
    config: { google, identityProviders, passwordSignIn },
  }: {
    userPool: IUserPool
    origin: string
    config: Pick<Config, 'google' | 'identityProviders' | 'passwordSignIn'>
  },
): UserPoolClient {
  const usesGroups = identityProviders.some(({ groupsClaim }) => groupsClaim !== undefined)
  const client = new UserPoolClient(scope, 'AppClient', {
    userPool,
    generateSecret: false,
    // an empty list would enable SRP; a custom flow needs triggers, which the pool does not have:
    // https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateUserPoolClient.html (ExplicitAuthFlows)
    authFlows: passwordSignIn ? { userSrp: true } : { custom: true },
    // rotation excludes the older refresh flow; the longest grace period tolerates two tabs that refresh at once
    refreshTokenRotationGracePeriod: Duration.seconds(60),
    accessTokenValidity: Duration.minutes(15),
    idTokenValidity: Duration.minutes(15),
    refreshTokenValidity: Duration.days(30),
    // a user may need time to find a backup code
    authSessionValidity: Duration.minutes(15),
    preventUserExistenceErrors: true,
    enableTokenRevocation: true,
    supportedIdentityProviders: [
      ...(passwordSignIn ? [UserPoolClientIdentityProvider.COGNITO] : []),
      ...(google ? [UserPoolClientIdentityProvider.GOOGLE] : []),
      ...identityProviders.map(({ name }) => UserPoolClientIdentityProvider.custom(name)),
    ],
    // Without a list, users could write every attribute with their own token, groups included. The list must contain required and
    // mapped attributes; Cognito refuses email_verified, and writes it nevertheless (docs/adr/0074)
    writeAttributes: new ClientAttributes()
      .withStandardAttributes({ email: true, fullname: true })
      .withCustomAttributes(...(usesGroups ? [groupsAttribute] : [])),
    oAuth: {
      flows: { authorizationCodeGrant: true },
      scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE, OAuthScope.COGNITO_ADMIN],
      callbackUrls: [`${origin}/auth`],
      logoutUrls: [`${origin}/auth`],
    },
  })
  // managed login has no pages for a client without a style: https://docs.aws.amazon.com/cognito/latest/developerguide/managed-login-branding.html
  if (google || identityProviders.length > 0)
    new CfnManagedLoginBranding(scope, 'LoginStyle', {
      userPoolId: userPool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    })
  return client
}
