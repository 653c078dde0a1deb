import { useInfiniteQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Search, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { inputClass } from '../../../components/ui/field.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
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
        <UserSearch text={text} onChange={setText} isSearching={isSearching} />
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

function UserSearch({
  text,
  onChange,
  isSearching,
}: {
  text: string
  onChange: (text: string) => void
  isSearching: boolean
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const clear = () => {
    onChange('')
    input.current?.focus()
  }
  return (
    <div role="search" className="relative w-80 max-w-full max-sm:w-full">
      <label htmlFor={id} className="sr-only">
        {texts.search}
      </label>
      <span className="pointer-events-none absolute inset-y-0 left-3.5 grid place-items-center text-ink-faint">
        {isSearching ? <Spinner /> : <Search aria-hidden size={16} />}
      </span>
      <input
        ref={input}
        id={id}
        type="text"
        inputMode="email"
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={254}
        placeholder={texts.search}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing || text === '') return
          event.preventDefault()
          clear()
        }}
        className={clsx(inputClass, 'h-10 pr-11 pl-10 max-sm:h-11')}
      />
      {text !== '' && (
        <span className="absolute inset-y-0 right-1 grid place-items-center">
          <IconButton
            size="sm"
            label={texts.clearSearch}
            tooltip={false}
            icon={<X size={16} />}
            onClick={clear}
          />
        </span>
      )}
    </div>
  )
}
