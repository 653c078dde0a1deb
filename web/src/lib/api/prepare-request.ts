import { routes, type RouteName } from '#shared/routes.ts'
import { getAccessToken } from './auth-tokens.ts'
import { buildUrl, type RouteInput } from './call-api.ts'

/**
 * Prepares a call so that it can still be sent synchronously while the page is being left.
 * @returns sends the call and returns its raw response
 * @throws as `getAccessToken`; the returned function throws what `fetch` throws
 */
export async function prepareRequest<Name extends RouteName>(
  name: Name,
  input: RouteInput<Name>,
): Promise<() => Promise<Response>> {
  const token = await getAccessToken()
  const url = buildUrl(name, input)
  return () =>
    fetch(url, {
      method: routes[name].method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(input.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
      keepalive: true,
    })
}
