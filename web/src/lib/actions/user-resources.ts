import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { createQueryClient } from './query-client.ts'

interface Resource {
  close: () => void
}

/** By query client, then by factory. */
const resourcesByClient = new WeakMap<QueryClient, Map<unknown, Resource>>()

/**
 * A resource that lives as long as its user is signed in, across pages: created on first use, closed with the user's query client.
 * @param create must be a stable function, which identifies the resource
 * @param options of the first call, which creates it; those of later calls are ignored
 */
export function useUserResource<Instance extends Resource, Options extends unknown[]>(
  create: (queryClient: QueryClient, ...options: Options) => Instance,
  ...options: Options
): Instance {
  return getUserResource(useQueryClient(), create, ...options)
}

/** As `useUserResource`, outside of components. */
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

/** The query client of the user who is signed in. When the component unmounts, late responses are dropped with it. */
export function useUserQueryClient(): QueryClient {
  const [queryClient] = useState(createQueryClient)
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
      // in development React unmounts once for a try
      queueMicrotask(() => {
        if (isMounted.current) return
        closeUserResources(queryClient)
        queryClient.clear()
      })
    }
  }, [queryClient])
  return queryClient
}

/** Closes a user's resources for good: a component that is mounted later gets new ones. */
export function closeUserResources(queryClient: QueryClient): void {
  for (const resource of resourcesByClient.get(queryClient)?.values() ?? []) resource.close()
  resourcesByClient.delete(queryClient)
}
