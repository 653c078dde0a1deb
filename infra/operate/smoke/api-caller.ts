import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { type PathParams, type RouteName, routePath, routes } from '#shared/routes.ts'

export const callMs = 15_000

interface CallInput<Name extends RouteName> {
  signal: AbortSignal
  params: PathParams<Name>
  body?: RouteRequest<Name>
}

export type CallApi = <Name extends RouteName>(name: Name, input: CallInput<Name>) => Promise<Response>

/** Calls routes of a deployment with a token. Calls throw an error with the response when its status is not 200. */
export const createCaller =
  (origin: string, token: string): CallApi =>
  async (name, { signal, params, body }) => {
    const response = await fetch(`${origin}${routePath(name, params)}`, {
      method: routes[name].method,
      redirect: 'manual',
      signal,
      headers: {
        authorization: `Bearer ${token}`,
        ...(name === 'chat.send' && { accept: 'text/event-stream' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (response.status !== 200)
      throw new Error(`${name} answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
    return response
  }
