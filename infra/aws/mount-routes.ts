import {
  AuthorizationType,
  LambdaIntegration,
  ResponseTransferMode,
  type IAuthorizer,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway'
import { Duration } from 'aws-cdk-lib'
import { apiFunctions, routes, type ApiFunctionName, type Route, type RouteName } from '#shared/routes.ts'
import { apiScope } from '#shared/user-pool.ts'
import { acknowledge } from './acknowledge.ts'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'

/** Why a route is open to callers without a token. */
const openRouteReasons: Readonly<Partial<Record<RouteName, string>>> = {
  health: 'Monitors call it, and it tells nothing but that the product answers, and which version.',
  'site.read':
    'The page shows a notice and how to sign up before anybody has signed in; the handler tells nothing else.',
  'shares.view':
    'Anyone with the link of a shared conversation may read its snapshot without an account, unless it is for people who are signed in: the handler asks for the secret of the link, 256 random bits, verifies a token that is sent along, and its role reaches no data of users but snapshots.',
  'mfa.verify':
    'Somebody who lost their second factor has no token yet: the handler takes a backup code, which is used up and whose tries are counted for each account, and verifies a token that is sent along.',
}

/** The gateway's limits for buffered and for streamed responses. */
const bufferedTimeout = Duration.seconds(29)
const streamTimeout = Duration.minutes(15)

/**
 * Adds every route of the route table to the gateway: method, path, access and function all come from there. The authorizer is only
 * a first check; handlers verify the token themselves.
 */
export function mountRoutes(
  api: RestApi,
  { functions, authorizer }: { functions: Record<ApiFunctionName, IFunction>; authorizer: IAuthorizer },
) {
  const integrations = new Map(
    Object.entries(apiFunctions).map(([name, { streaming }]) => [
      name,
      new LambdaIntegration(functions[name as ApiFunctionName], {
        // one permission for a function, not one for each of its routes: a stack has at most 500 resources
        scopePermissionToMethod: false,
        ...(streaming
          ? { responseTransferMode: ResponseTransferMode.STREAM, timeout: streamTimeout }
          : { timeout: bufferedTimeout }),
      }),
    ]),
  )
  for (const [name, { method, path, access, functionName }] of Object.entries(
    routes as Record<RouteName, Route>,
  )) {
    const isOpen = access === 'public' || access === 'optional'
    const mounted = api.root.resourceForPath(path).addMethod(
      method,
      integrations.get(functionName),
      // an optional token is verified by the handler
      isOpen
        ? { authorizationType: AuthorizationType.NONE }
        : {
            authorizationType: AuthorizationType.COGNITO,
            authorizer,
            // an access token carries it; an ID token does not
            authorizationScopes: [apiScope],
          },
    )
    const reason = openRouteReasons[name as RouteName]
    if (isOpen && reason !== undefined) acknowledge(mounted, { APIG4: reason, COG4: reason })
  }
}
