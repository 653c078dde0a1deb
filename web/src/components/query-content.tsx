import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { getErrorMessage } from '../lib/api/api-errors.ts'
import { Button } from './ui/button.tsx'
import { Callout } from './ui/callout.tsx'
import { Skeleton } from './ui/skeleton.tsx'

interface QueryContentProps<Data> {
  query: { data: Data | undefined; error: unknown; isPending: boolean; refetch: () => Promise<unknown> }
  /** names the placeholder for screen readers; not announced */
  label: string
  /** shown while it loads */
  placeholder?: ReactNode
  /** says that it could not be loaded; the reason follows */
  failure?: string
  /** says that the list is empty */
  empty?: string | undefined
  children: (data: Data) => ReactNode
}

/** Renders the data of a query. Until there is any, it renders a placeholder, or the error with “Try again”. */
export function QueryContent<Data>({
  query: { data, error, isPending, refetch },
  label,
  placeholder = linePlaceholder,
  failure = t`The list could not be loaded.`,
  empty,
  children,
}: QueryContentProps<Data>) {
  if (data !== undefined)
    return empty !== undefined && Array.isArray(data) && data.length === 0 ? (
      <p className="text-ink-muted">{empty}</p>
    ) : (
      children(data)
    )
  return isPending ? (
    <div role="progressbar" aria-label={label} className="grid gap-3 py-1">
      {placeholder}
    </div>
  ) : (
    <Callout variant="danger" error={error} action={{ label: t`Try again`, onClick: () => void refetch() }}>
      {failure} {getErrorMessage(error)}
    </Callout>
  )
}

const linePlaceholder = (
  <>
    <Skeleton className="h-3.5 w-72 max-w-full" />
    <Skeleton className="h-3.5 w-56 max-w-full" />
  </>
)

/** The button that loads the next page of a list, and why that failed. */
export function MoreRows({
  query: { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage },
}: {
  query: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    error: unknown
    fetchNextPage: () => Promise<unknown>
  }
}) {
  return (
    <>
      {isFetchNextPageError && (
        <div className="mt-3">
          <Callout variant="danger" error={error}>
            {t`More could not be loaded.`} {getErrorMessage(error)}
          </Callout>
        </div>
      )}
      {hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t`Show more`}
          </Button>
        </div>
      )}
    </>
  )
}
