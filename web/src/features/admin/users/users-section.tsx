import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { SearchField } from '../../../components/ui/search-field.tsx'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { usersQuery } from '../admin-queries.ts'
import { LoadError, MoreRows, RowSkeletons } from '../section-parts.tsx'
import { UserRow } from './user-row.tsx'
import * as texts from './texts.ts'

const searchDebounceMs = 300

/** The users, searched by the beginning of their e-mail address; the search stands in the address bar. */
export function UsersSection() {
  const [params, setParams] = useSearchParams()
  const [text, setText] = useState(params.get('query') ?? '')
  const term = useDebounced(text.trim(), searchDebounceMs)
  const query = useInfiniteQuery(usersQuery(term))
  const users = query.data?.pages.flatMap((page) => page.users)

  const inAddress = params.get('query') ?? ''
  useEffect(() => {
    if (term !== inAddress) setParams(term === '' ? {} : { query: term }, { replace: true })
  }, [term, inAddress, setParams])

  const isSearching = term !== text.trim() || query.isPlaceholderData
  return (
    <SettingsCard title={texts.users} subtitle={texts.usersHint}>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <SearchField
          label={texts.search}
          clearLabel={texts.clearSearch}
          value={text}
          onChange={setText}
          isSearching={isSearching}
          inputMode="email"
          autoCapitalize="off"
          maxLength={254}
          className="w-80 max-w-full max-sm:w-full"
        />
        <p role="status" className="text-sm text-ink-faint">
          {users && users.length > 0 && !isSearching && texts.found(users.length, query.hasNextPage)}
        </p>
      </div>
      <CardSection className="mt-4">
        {query.isPending ? (
          <RowSkeletons label={texts.loading} />
        ) : !users || (query.isError && users.length === 0) ? (
          <LoadError error={query.error} onRetry={() => void query.refetch()} />
        ) : users.length === 0 && !query.hasNextPage ? (
          <p className="text-ink-muted">{term === '' ? texts.noUsers : texts.noMatches(term)}</p>
        ) : (
          <>
            <ul aria-label={texts.users} aria-busy={isSearching} className="-my-3 divide-y divide-line">
              {users.map((user) => (
                <UserRow key={user.id} user={user} search={inAddress} />
              ))}
            </ul>
            <MoreRows query={query} />
          </>
        )}
      </CardSection>
    </SettingsCard>
  )
}
