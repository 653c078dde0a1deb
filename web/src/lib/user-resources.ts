import { useQueryClient, type QueryClient } from '@tanstack/react-query'

interface Resource {
  close: () => void
}

/** By query client, then by factory. */
const resourcesByClient = new WeakMap<QueryClient, Map<unknown, Resource>>()

/**
 * A resource that lives as long as its user is signed in, across pages: created on first use, closed with
 * the user's query client.
 * @param create must be a stable function
 * @param options used by the first call
 */
export function useUserResource<Instance extends Resource, Options extends unknown[]>(
  create: (queryClient: QueryClient, ...options: Options) => Instance,
  ...options: Options
): Instance {
  return getUserResource(useQueryClient(), create, ...options)
}

/** The same outside of components. */
export function getUserResource<Instance extends Resource, Options extends unknown[]>(
  queryClient: QueryClient,
  create: (queryClient: QueryClient, ...options: Options) => Instance,
  ...options: Options
): Instance {
  const resources = resourcesByClient.get(queryClient) ?? new Map<unknown, Resource>()
  resourcesByClient.set(queryClient, resources)
  const existing = resources.get(create) as Instance | undefined
  if (existing) return existing
  const resource = create(queryClient, ...options)
  resources.set(create, resource)
  return resource
}

/** Closes a user's resources for good: a component that is mounted later gets new ones. */
export function closeUserResources(queryClient: QueryClient): void {
  for (const resource of resourcesByClient.get(queryClient)?.values() ?? []) resource.close()
  resourcesByClient.delete(queryClient)
}
