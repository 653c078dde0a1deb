import type { AppConfig } from './config.ts'

/** Calls an operation of the user pool that needs nothing but a refresh token. @throws what `fetch` throws */
export const askUserPool = (
  { region, userPoolClientId, userPoolEndpoint }: AppConfig,
  operation: 'GetTokensFromRefreshToken' | 'RevokeToken',
  { input, ...options }: { input: object; signal: AbortSignal; keepalive?: boolean },
): Promise<Response> =>
  fetch(userPoolEndpoint ?? `https://cognito-idp.${region}.amazonaws.com/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify({ ClientId: userPoolClientId, ...input }),
    ...options,
  })
