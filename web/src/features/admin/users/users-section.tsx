import { plural, t } from '@lingui/core/macro'
import { formatCount } from '../../../lib/text/locale.ts'
import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useState, useEffect, useEffectEvent, useId, useRef } from 'react'
import type { AdminUser } from '#shared/contracts/admin.ts'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { Select } from '../../../components/ui/select-field.tsx'
import { SearchField } from '../../../components/ui/search-field.tsx'
import { usersQuery } from '../admin-queries.ts'
import { maxSearchCharacters } from '../service-limits.ts'
import { UserRow } from './user-row.tsx'
import { QueryContent, MoreRows } from '../../../components/query-content.tsx'
import { useSearchParams } from '../../../lib/navigation/router.tsx'
import { useDebounced } from '../../../lib/browser/use-debounced.ts'
import { useInput } from '../../../lib/input/use-input.ts'

const formatFound = (count: number, hasMore: boolean) =>
  hasMore ? t`The first ${formatCount(count)} users` : plural(count, { one: '# user', other: `# users` })

const describeNobody = (term: string) =>
  term === ''
    ? t`Nobody yet. Invite people in the section “Invitations”.`
    : t`No address begins with “${{ query: term }}”.`

type Order = 'listed' | 'newest' | 'oldest'

/** Sorts users by their last activity. Those whose activity is not known are at the end in either order. */
function sortUsers(users: readonly AdminUser[], order: Order): readonly AdminUser[] {
  if (order === 'listed') return users
  const direction = order === 'newest' ? -1 : 1
  return users.toSorted((one, other) => {
    const [first, second] = [one.last_active_at, other.last_active_at]
    if (first === undefined || second === undefined)
      return Number(first === undefined) - Number(second === undefined)
    return direction * first.localeCompare(second)
  })
}

/** The users, searched by the beginning of their e-mail address; the search is in the URL. */
export function UsersSection() {
  const { input, term, urlQuery, isTyping } = useUserSearch()
  const query = useInfiniteQuery(usersQuery(term))
  const { data: users } = query

  const [order, setOrder] = useState<Order>('listed')
  // users can be sorted only when all of them are loaded, and the service returns them in pages
  useLoadRest(query, { enabled: order !== 'listed' })
  const isSearching = isTyping || query.isPlaceholderData
  return (
    <SettingsCard title={t`Users`} subtitle={t`Everyone with an account on this installation.`}>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchField
          label={t`Search by e-mail`}
          clearLabel={t`Clear the search`}
          input={input}
          isSearching={isSearching}
          inputMode="email"
          autoCapitalize="off"
          maxLength={maxSearchCharacters}
          className="w-80 max-w-full max-sm:w-full"
        />
        <Select
          aria-label={t`Order`}
          className="w-56 max-sm:w-full"
          value={order}
          options={[
            { value: 'listed', label: t`As listed` },
            { value: 'newest', label: t`Last active first` },
            { value: 'oldest', label: t`Longest inactive first` },
          ]}
          onChange={setOrder}
        />
        <p role="status" className="text-sm text-ink-faint">
          {users && users.length > 0 && !isSearching && formatFound(users.length, query.hasNextPage)}
        </p>
      </div>
      <CardSection className="mt-4">
        <QueryContent
          // nobody on the first page, and then an error: the error shows
          query={{ ...query, data: query.isError && users?.length === 0 ? undefined : users }}
          label={t`Loading the users`}
          // a page may be empty although others follow
          empty={query.hasNextPage ? undefined : describeNobody(term)}
        >
          {(list) => (
            <>
              <ul aria-label={t`Users`} aria-busy={isSearching} className="-my-3 divide-y divide-line">
                {sortUsers(list, order).map((user) => (
                  <UserRow key={user.id} user={user} searchText={urlQuery} />
                ))}
              </ul>
              <MoreRows query={query} />
            </>
          )}
        </QueryContent>
      </CardSection>
    </SettingsCard>
  )
}

/** Loads the remaining pages of a list, one after the other, while it is enabled. A page that fails ends that. */
function useLoadRest(
  { hasNextPage, isFetchNextPageError, fetchNextPage }: UseInfiniteQueryResult<unknown>,
  { enabled }: { enabled: boolean },
): void {
  const loadsRest = enabled && hasNextPage && !isFetchNextPageError
  useEffect(() => {
    if (!loadsRest) return
    let isActive = true
    const loadRest = async () => {
      while (isActive) {
        const next = await fetchNextPage({ cancelRefetch: false })
        if (next.isError || !next.hasNextPage) return
      }
    }
    void loadRest()
    return () => {
      isActive = false
    }
  }, [loadsRest, fetchNextPage])
}

/** A pause in typing, after which the service is asked. */
const debounceMs = 300

/** The text that users are searched by, in its field and in the URL. */
function useUserSearch() {
  const [params, setParams] = useSearchParams()
  const urlQuery = params.get('query') ?? ''
  const input = useInput(useId(), { stored: urlQuery, onLeave: 'forget' })
  const text = input.value
  /** the last query that this page wrote to the URL, or took from it */
  const knownQuery = useRef(urlQuery)
  const showUrlQuery = useEffectEvent(() => {
    // a link or the browser's Back has changed the URL, not this page
    if (urlQuery !== knownQuery.current) input.change(urlQuery)
    knownQuery.current = urlQuery
  })
  useEffect(() => showUrlQuery(), [urlQuery])
  const term = useDebounced(text.trim(), debounceMs)

  // while the user is typing, the debounced term lags behind the text
  const mustUpdateUrl = term === text.trim() && term !== urlQuery
  useEffect(() => {
    if (!mustUpdateUrl) return
    knownQuery.current = term
    setParams(term === '' ? {} : { query: term }, { replace: true })
  }, [mustUpdateUrl, term, setParams])

  return {
    input,
    /** the text that is searched, once the user pauses typing */
    term,
    urlQuery,
    isTyping: term !== text.trim(),
  }
}
