import { Duration } from 'aws-cdk-lib'
import {
  CfnManagedLoginBranding,
  OAuthScope,
  UserPoolClient,
  UserPoolClientIdentityProvider,
  type IUserPool,
} from 'aws-cdk-lib/aws-cognito'
import type { Construct } from 'constructs'

/** Adds the page's client of the user pool. It signs in by SRP, or at Cognito's managed login with Google. */
export function addAppClient(
  scope: Construct,
  { userPool, origin, google }: { userPool: IUserPool; origin: string; google: boolean },
): UserPoolClient {
  const client = new UserPoolClient(scope, 'AppClient', {
    userPool,
    generateSecret: false,
    authFlows: { userSrp: true },
    // rotation excludes the older refresh flow; the longest grace period tolerates two tabs that refresh at once
    refreshTokenRotationGracePeriod: Duration.seconds(60),
    accessTokenValidity: Duration.minutes(15),
    idTokenValidity: Duration.minutes(15),
    refreshTokenValidity: Duration.days(30),
    // a user may have to look for a backup code
    authSessionValidity: Duration.minutes(15),
    preventUserExistenceErrors: true,
    enableTokenRevocation: true,
    supportedIdentityProviders: [
      UserPoolClientIdentityProvider.COGNITO,
      ...(google ? [UserPoolClientIdentityProvider.GOOGLE] : []),
    ],
    oAuth: {
      flows: { authorizationCodeGrant: true },
      scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE, OAuthScope.COGNITO_ADMIN],
      callbackUrls: [`${origin}/auth`],
      logoutUrls: [`${origin}/auth`],
    },
  })
  // managed login has no pages for a client without a style: https://docs.aws.amazon.com/cognito/latest/developerguide/managed-login-branding.html
  if (google)
    new CfnManagedLoginBranding(scope, 'LoginStyle', {
      userPoolId: userPool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    })
  return client
}
