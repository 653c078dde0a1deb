import { type ReactNode } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import * as texts from './texts.ts'
import * as commonTexts from '../../components/texts.ts'

/** Rows of a list that is loading. */
export function RowSkeletons({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="grid gap-4 py-1">
      {['w-64', 'w-48', 'w-72', 'w-56'].map((width) => (
        <div key={width} className="grid h-12 content-center gap-2">
          <Skeleton className={`h-3.5 ${width} max-w-full`} />
          <Skeleton className="h-3 w-40 max-w-full" />
        </div>
      ))}
    </div>
  )
}

/** An error with a retry button, instead of content that could not be loaded. */
export function LoadError({
  error,
  onRetry,
  children = texts.notLoaded,
}: {
  error: unknown
  onRetry: () => void
  children?: ReactNode
}) {
  return (
    <Callout variant="danger" action={{ label: commonTexts.tryAgain, onClick: onRetry }}>
      {children} {errorMessage(error)}
    </Callout>
  )
}

/** The button that loads the next page of a list. */
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
        <div className="mt-6">
          <Callout variant="danger">
            {texts.moreNotLoaded} {errorMessage(error)}
          </Callout>
        </div>
      )}
      {hasNextPage && (
        <div className="mt-7 flex justify-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.loadMore}
          </Button>
        </div>
      )}
    </>
  )
}
