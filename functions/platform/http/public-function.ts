import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { Route, RouteName } from '#shared/routes.ts'
import { errorResponse, jsonHeaders } from './error-response.ts'
import { RouteNotFound } from '../errors.ts'
import { logger } from '../telemetry/logger.ts'
import { getRequestId, logRequestOutcome } from '../telemetry/request-log.ts'

/**
 * The Lambda handler of a function with one public route without input. It responds and logs as `apiFunction` does, without loading the
 * table, token verification, validation or the other routes.
 */
export function publicFunction<Name extends RouteName>(
  name: Name,
  { method, path }: Pick<Route, 'method' | 'path'>,
  handle: () => Promise<RouteResponse<Name>>,
) {
  return async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const startedAtMs = Date.now()
    const requestId = getRequestId(event, context)
    const isFound = event.httpMethod === method && event.resource === path
    const finish = (response: APIGatewayProxyResult, error?: unknown) => {
      logRequestOutcome(isFound ? logger.with({ requestId, route: name }) : logger, {
        requestId,
        route: isFound ? name : undefined,
        status: response.statusCode,
        durationMs: Date.now() - startedAtMs,
        error,
      })
      return response
    }
    try {
      if (!isFound) throw new RouteNotFound(`${name} has no route ${event.httpMethod} ${event.resource}`)
      return finish({
        statusCode: 200,
        headers: { ...jsonHeaders },
        body: JSON.stringify(await handle()),
      })
    } catch (error) {
      return finish(errorResponse(error, requestId), error)
    }
  }
}
