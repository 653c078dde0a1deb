import { QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { SharedMessage } from '#shared/contracts/shares.ts'
import { Brand } from '../../../components/page-frame.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Mark } from '../../../components/ui/logo.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { ApiError } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import { useBrand } from '../../../lib/config.ts'
import { useOnline } from '../../../lib/online.ts'
import { createQueryClient } from '../../../lib/query-client.ts'
import { shortDate } from '../../../lib/dates.ts'
import { Markdown } from '../markdown/markdown.tsx'

type Shared = RouteResponse<'shares.view'>

/** A shared conversation, for anybody who has its link: the secret is the fragment of the address. */
export function SharedPage() {
  const { hash } = useLocation()
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      {/* a page that no search engine may list; the server says so in a header, too */}
      <meta name="robots" content="noindex, nofollow, noarchive" />
      <SharedConversation secret={hash.slice(1)} />
    </QueryClientProvider>
  )
}

function SharedConversation({ secret }: { secret: string }) {
  const { brandName, assistantName } = useBrand()
  const isOnline = useOnline()
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: ['shared', secret],
      queryFn: ({ pageParam, signal }) =>
        callApi('shares.view', { body: { secret, page: pageParam } }, { signal }),
      initialPageParam: 1,
      getNextPageParam: ({ next }: Shared) => next,
      // what is shown does not change
      staleTime: Infinity,
    })
  const [first] = data?.pages ?? []
  const isGone = error instanceof ApiError && error.code === 'share_not_found'
  const title = first && !isGone ? first.title : isGone ? 'Link not found' : 'Shared conversation'
  useEffect(() => {
    document.title = `${title} - ${brandName}`
  }, [title, brandName])
  const hasFailed = error !== null && !isGone && !isFetching
  useEffect(() => {
    if (!hasFailed || first) return
    const again = () => void refetch()
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [hasFailed, first, refetch])

  if (isGone) return <Gone />
  if (!first)
    return (
      <Frame>
        {hasFailed ? (
          <div role="alert" className="flex flex-col items-start gap-4 py-12">
            <h1 className="text-2xl font-semibold tracking-[-0.022em]">This could not be loaded</h1>
            <p className="text-base text-ink-muted">{sentenceOf(error, isOnline)}</p>
            <Button onClick={() => void refetch()}>Retry</Button>
          </div>
        ) : (
          <Loading />
        )}
      </Frame>
    )
  const messages = data?.pages.flatMap((page) => page.messages) ?? []
  return (
    <Frame
      foot={
        <>
          A copy of a conversation with {assistantName}, made on {shortDate(new Date(first.shared_at))}.
          Replies are written by an AI and can be wrong. The link works until{' '}
          {shortDate(new Date(first.ends_at))}.
        </>
      }
    >
      <h1 dir="auto" className="text-2xl font-semibold tracking-[-0.022em] [overflow-wrap:anywhere]">
        {first.title}
      </h1>
      <p className="mt-1 text-sm text-ink-muted">
        Shared conversation · {shortDate(new Date(first.shared_at))}
      </p>
      <div className="mt-8 grid gap-8 max-sm:mt-6 max-sm:gap-6">
        {messages.map((message, index) => (
          <Message key={index} message={message} assistantName={assistantName} />
        ))}
      </div>
      {hasNextPage && (
        <div className="mt-8 flex flex-wrap items-center gap-3 print:hidden">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more messages
          </Button>
          {hasFailed && (
            <p role="alert" className="text-sm text-danger-ink">
              {sentenceOf(error, isOnline)}
            </p>
          )}
        </div>
      )}
    </Frame>
  )
}

function sentenceOf(error: unknown, isOnline: boolean): string {
  if (error instanceof ApiError) return error.userMessage
  if (!isOnline) return 'You are offline. It is loaded when you are back.'
  return 'The service could not be reached. Please try again.'
}

/** The text at a width to read, between the brand and what the page is. */
function Frame({ children, foot }: { children: ReactNode; foot?: ReactNode }) {
  return (
    <div className="grid min-h-dvh grid-cols-1 grid-rows-[auto_minmax(0,1fr)_auto] print:block">
      <header className="border-b border-line px-6 py-4 max-sm:px-4 max-sm:py-3 print:hidden">
        <Brand />
      </header>
      <main className="mx-auto w-full max-w-[calc(var(--width-settings)+3rem)] px-6 py-10 max-sm:px-4 max-sm:py-6 print:max-w-none print:p-0">
        {children}
      </main>
      <footer className="mx-auto w-full max-w-[calc(var(--width-settings)+3rem)] px-6 pt-4 pb-10 text-sm text-ink-muted max-sm:px-4 print:max-w-none print:px-0">
        {foot}
      </footer>
    </div>
  )
}

function Message({ message, assistantName }: { message: SharedMessage; assistantName: string }) {
  const { role, content, files } = message
  const left = files > 0 && (
    <p className="text-sm text-ink-faint">
      {files === 1 ? 'A file is not part of the copy.' : `${files} files are not part of the copy.`}
    </p>
  )
  if (role === 'user')
    return (
      <div className="flex flex-col items-end gap-2">
        <h2 className="sr-only">Question</h2>
        {content !== '' && (
          <div
            dir="auto"
            className="max-w-[min(36rem,85%)] rounded-lg rounded-br-xs bg-accent-soft px-4 py-[11px] text-base whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext] max-sm:max-w-[88%]"
          >
            {content}
          </div>
        )}
        {left}
      </div>
    )
  return (
    <div className="grid grid-cols-[28px_minmax(0,1fr)] gap-x-3 max-sm:grid-cols-1 max-sm:gap-y-2 print:block">
      <span
        aria-hidden
        className="-mt-px grid size-7 place-items-center rounded-full bg-accent-soft max-sm:size-6 print:hidden"
      >
        <Mark size={18} className="max-sm:size-4" />
      </span>
      <div className="grid grid-cols-1 gap-4 text-base">
        <h2 className="sr-only">{assistantName}</h2>
        {content !== '' && <Markdown text={content} streaming={false} />}
        {left}
      </div>
    </div>
  )
}

/** Unknown, revoked or over: the service does not tell which. */
function Gone() {
  return (
    <Frame>
      <div className="mx-auto max-w-md py-12">
        <h1 className="mb-2 text-2xl font-semibold tracking-[-0.022em]">This link leads nowhere</h1>
        <p className="text-base text-ink-muted">
          It was revoked, it has expired, or a part of it is missing. Ask whoever gave it to you for another
          one.
        </p>
      </div>
    </Frame>
  )
}

function Loading() {
  return (
    <div role="status" aria-label="Loading the conversation" className="grid gap-4">
      <h1 className="sr-only">Shared conversation</h1>
      <Skeleton className="h-6 w-2/3" />
      <Skeleton className="mt-6 ml-auto h-10 w-1/2" />
      <Skeleton className="w-full" />
      <Skeleton className="w-4/5" />
      <Skeleton className="w-11/12" />
    </div>
  )
}
