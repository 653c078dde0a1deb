import { type ApiFunctionName, type Route, type RouteName, routes } from '#shared/routes.ts'

export interface RouteMatch {
  functionName: ApiFunctionName
  /** API Gateway's resource, `/api/sessions/{sessionId}` */
  path: string
  /** decoded */
  params: Record<string, string>
}

export type RouteLookup = { found: RouteMatch } | { allowedMethods: readonly string[] } | undefined

interface Pattern {
  name: RouteName
  route: Route
  segments: string[]
}

const patterns: Pattern[] = Object.entries(routes).map(([name, route]) => ({
  name: name as RouteName,
  route,
  segments: route.path.split('/'),
}))

/**
 * Looks a request up in the route table.
 * @returns the route, the allowed methods when the method does not match, or undefined for an unknown path
 */
export function matchRoute(method: string, pathname: string): RouteLookup {
  const segments = pathname.split('/')
  const matches = patterns.flatMap((pattern) => {
    const params = pathParams(pattern.segments, segments)
    return params ? [{ route: pattern.route, params }] : []
  })
  const found = matches.find(({ route }) => route.method === method)
  if (found)
    return { found: { functionName: found.route.functionName, path: found.route.path, params: found.params } }
  return matches.length > 0 ? { allowedMethods: matches.map(({ route }) => route.method) } : undefined
}

function pathParams(pattern: string[], segments: string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? ''
    const name = /^\{(\w+)\}$/.exec(expected)?.[1]
    if (name === undefined && segment !== expected) return undefined
    if (name === undefined) continue
    const value = decode(segment)
    if (!value) return undefined
    params[name] = value
  }
  return params
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    // a malformed escape matches no route
    return undefined
  }
}
