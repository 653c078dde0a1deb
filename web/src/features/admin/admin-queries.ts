import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callApi } from '../../lib/api/call-api.ts'

/** The beginning of the key of every query of the administration: a change in one section may show in others. */
export const adminKey = ['admin'] as const

/** The service may use its full time, 29 seconds, to read the rows of all accounts. */
const allAccountsTimeoutMs = 30_000

/** The users, page by page. @param query the beginning of the e-mail address; empty for all */
export const usersQuery = (query: string) =>
  infiniteQueryOptions({
    queryKey: [...adminKey, 'users', query],
    queryFn: ({ pageParam, signal }) =>
      callApi('admin.users', { query: { query: query || undefined, cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ users }) => users),
    placeholderData: keepPreviousData,
  })

/** One account, as administrators see it. */
export const userQuery = (userId: string) =>
  queryOptions({
    queryKey: [...adminKey, 'user', userId],
    queryFn: async ({ signal }) => (await callApi('admin.user', { params: { userId } }, { signal })).user,
    // an account that was deleted on its page would not be found, and the page would lose the receipt that it shows
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** The open invitations. */
export const invitationsQuery = queryOptions({
  queryKey: [...adminKey, 'invitations'],
  queryFn: async ({ signal }) => (await callApi('admin.invitations', {}, { signal })).invitations,
})

/** The groups with their limits. */
export const groupsQuery = queryOptions({
  queryKey: [...adminKey, 'groups'],
  queryFn: async ({ signal }) => (await callApi('admin.groups', {}, { signal })).groups,
})

/** The settings of the site. */
export const siteQuery = queryOptions({
  queryKey: [...adminKey, 'site'],
  queryFn: ({ signal }) => callApi('admin.site', {}, { signal }),
})

/** The assistants that are published here. */
export const adminAssistantsQuery = queryOptions({
  queryKey: [...adminKey, 'assistants'],
  queryFn: async ({ signal }) => (await callApi('admin.assistants', {}, { signal })).assistants,
})

/** Who has schedules, page by page. */
export const adminSchedulesQuery = infiniteQueryOptions({
  queryKey: [...adminKey, 'schedules'],
  queryFn: ({ pageParam, signal }) =>
    callApi('admin.schedules', { query: { cursor: pageParam } }, { signal, timeoutMs: allAccountsTimeoutMs }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  select: ({ pages }) => pages.flatMap(({ people }) => people),
})

/** Which integrations have an app of the operator. */
export const providerAppsQuery = queryOptions({
  queryKey: [...adminKey, 'provider-apps'],
  queryFn: ({ signal }) => callApi('admin.providerApps', {}, { signal }),
})

/** What each user and group used in a month. @param month `2026-11`, UTC */
export const monthUsageQuery = (month: string) =>
  queryOptions({
    queryKey: [...adminKey, 'usage', month],
    queryFn: ({ signal }) =>
      callApi('admin.usage', { query: { month } }, { signal, timeoutMs: allAccountsTimeoutMs }),
  })

/** What users thought of replies. @param month `2026-11`, UTC */
export const feedbackQuery = (month: string) =>
  queryOptions({
    queryKey: [...adminKey, 'feedback', month],
    queryFn: ({ signal }) =>
      callApi('admin.feedback', { query: { month } }, { signal, timeoutMs: allAccountsTimeoutMs }),
  })

/** The audit log, newest first, page by page. */
export const auditQuery = infiniteQueryOptions({
  queryKey: [...adminKey, 'audit'],
  queryFn: ({ pageParam, signal }) => callApi('admin.audit', { query: { cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  select: ({ pages }) => pages.flatMap(({ entries }) => entries),
})
