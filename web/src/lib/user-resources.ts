import { useQueryClient, type QueryClient } from '@tanstack/react-query'

interface Resource {
  close: () => void
}

/** By the client of a user, and by what makes them. */
const made = new WeakMap<QueryClient, Map<unknown, Resource>>()

/**
 * Something that lives as long as its user is signed in, whatever page is shown: made by whoever needs it first, closed with the
 * user's query client.
 * @param create must be the same function each time
 * @param options of whoever needs it first
 */
export function useUserResource<Made extends Resource, Options extends unknown[]>(
  create: (queryClient: QueryClient, ...options: Options) => Made,
  ...options: Options
): Made {
  const queryClient = useQueryClient()
  const resources = made.get(queryClient) ?? new Map<unknown, Resource>()
  made.set(queryClient, resources)
  const known = resources.get(create) as Made | undefined
  if (known) return known
  const resource = create(queryClient, ...options)
  resources.set(create, resource)
  return resource
}

/** Closes everything that was made for a user; what is closed can begin again. */
export function closeUserResources(queryClient: QueryClient): void {
  for (const resource of made.get(queryClient)?.values() ?? []) resource.close()
}
