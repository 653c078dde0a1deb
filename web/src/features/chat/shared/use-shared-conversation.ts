import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { ApiError } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import { useOnline } from '../../../lib/online.ts'

/**
 * Loads a shared conversation, page by page. If its first page could not be loaded, it is requested again once the browser is online.
 * @param options.asVisitor whether it is requested without the user's sign-in
 * @returns `first`: the first page, undefined until it is loaded; `problem`: why the first or the next page could not be loaded, for the user
 */
export function useSharedConversation(secret: string, { asVisitor }: { asVisitor: boolean }) {
  const isOnline = useOnline()
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: ['shared', secret, { asVisitor }],
      queryFn: ({ pageParam, signal }) =>
        callApi('shares.view', { body: { secret, page: pageParam } }, { signal, asVisitor }),
      initialPageParam: 1,
      getNextPageParam: ({ next }: RouteResponse<'shares.view'>) => next,
      // a shared copy never changes
      staleTime: Infinity,
    })
  const code = error instanceof ApiError ? error.code : undefined
  const isNotFound = code === 'share_not_found'
  const hasFailed = error !== null && !isNotFound && !isFetching
  const [first] = data?.pages ?? []
  const messages = useMemo(() => data?.pages.flatMap((page) => page.messages) ?? [], [data])
  const hasNothing = first === undefined
  useEffect(() => {
    if (!hasFailed || !hasNothing) return
    const refetchNow = () => void refetch()
    addEventListener('online', refetchNow)
    return () => removeEventListener('online', refetchNow)
  }, [hasFailed, hasNothing, refetch])
  return {
    first,
    messages,
    isSignInRequired: code === 'sign_in_required',
    isNotFound,
    problem: hasFailed ? describeProblem(error, { isOnline }) : undefined,
    error,
    hasNextPage,
    isFetchingNextPage,
    loadNextPage: () => void fetchNextPage(),
    retry: () => void refetch(),
  }
}

function describeProblem(error: Error, { isOnline }: { isOnline: boolean }): string {
  if (error instanceof ApiError) return error.userMessage
  if (!isOnline) return t`You are offline. The conversation loads when you are back.`
  return t`The service could not be reached. Please try again.`
}
