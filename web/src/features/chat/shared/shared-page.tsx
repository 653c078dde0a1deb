import { plural, t } from '@lingui/core/macro'
import { QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, type ReactNode, type RefObject } from 'react'
import { useLocation } from 'react-router'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { SourceList } from '../reasoning/source-list.tsx'
import type { SharedMessage } from '#shared/contracts/shares.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Brand } from '../../../components/page-frame.tsx'
import { SiteBar } from '../../../components/site-bar.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Logo } from '../../../components/ui/logo.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { ApiError } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import { useBrand } from '../../../lib/config.ts'
import { useOnline } from '../../../lib/online.ts'
import { useUserQueryClient } from '../../../lib/user-resources.ts'
import { formatDate } from '../../../lib/dates.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { PreviewHost } from '../preview/preview-host.tsx'
import { useDocumentTitle } from '../../../lib/use-document-title.ts'
import { describeEnding } from '../describe-ending.ts'
import { formatConversationTitle } from '../../../lib/conversation-title.ts'

const QueryTable = lazyComponent(
  () => import('../query/query-table.tsx'),
  'QueryTable',
  <div className="h-40" />,
)
const PreviewPanel = lazyComponent(() => import('../preview/preview-panel.tsx'), 'PreviewPanel', null)

type SharedPageResponse = RouteResponse<'shares.view'>
/** Renders a page for signed-in users: the sign-in first, if nobody is signed in. */
type RenderSignedIn = (page: ReactNode) => ReactNode

/**
 * A shared conversation. The secret of its link is the URL fragment.
 * @param renderSignedIn shows the page of a link that only chosen people may open
 */
export function SharedPage({ renderSignedIn }: { renderSignedIn: RenderSignedIn }) {
  const { hash } = useLocation()
  const queryClient = useUserQueryClient()
  return (
    <QueryClientProvider client={queryClient}>
      {/* not for search engines; the server also sends a header */}
      <meta name="robots" content="noindex, nofollow, noarchive" />
      <SharedConversation secret={hash.slice(1)} renderSignedIn={renderSignedIn} />
    </QueryClientProvider>
  )
}

/**
 * Loads and shows the conversation.
 * @param renderSignedIn present: it is requested without the user's sign-in, and shown by this function if the service wants one. Absent:
 * it is requested as the signed-in user
 */
function SharedConversation({ secret, renderSignedIn }: { secret: string; renderSignedIn?: RenderSignedIn }) {
  const asVisitor = renderSignedIn !== undefined
  const { assistantName } = useBrand()
  const isOnline = useOnline()
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: ['shared', secret, { asVisitor }],
      queryFn: ({ pageParam, signal }) =>
        callApi('shares.view', { body: { secret, page: pageParam } }, { signal, asVisitor }),
      initialPageParam: 1,
      getNextPageParam: ({ next }: SharedPageResponse) => next,
      // a shared copy never changes
      staleTime: Infinity,
    })
  const [first] = data?.pages ?? []
  const messages = useMemo(() => data?.pages.flatMap((page) => page.messages) ?? [], [data])
  const container = useRef<HTMLDivElement>(null)
  const getPreviewContainer = useCallback(() => container.current, [])
  const isSignInRequired = error instanceof ApiError && error.code === 'sign_in_required'
  const isNotFound = error instanceof ApiError && error.code === 'share_not_found'
  const title =
    first && !isNotFound
      ? formatConversationTitle(first.title)
      : isNotFound
        ? t`Link not found`
        : t`Shared conversation`
  useDocumentTitle(title)
  const hasFailed = error !== null && !isNotFound && !isFetching
  useEffect(() => {
    if (!hasFailed || first) return
    const refetchNow = () => void refetch()
    addEventListener('online', refetchNow)
    return () => removeEventListener('online', refetchNow)
  }, [hasFailed, first, refetch])

  if (isSignInRequired && renderSignedIn) return renderSignedIn(<SharedConversation secret={secret} />)
  if (isNotFound) return <LinkNotFound />
  if (!first)
    return (
      <Frame>
        {hasFailed ? (
          <div role="alert" className="flex flex-col items-start gap-4 py-12">
            <h1 className="text-2xl font-semibold">{t`This could not be loaded`}</h1>
            <p className="text-base text-ink-muted">{formatError(error, isOnline)}</p>
            <Button onClick={() => void refetch()}>{t`Try again`}</Button>
          </div>
        ) : (
          <Loading />
        )}
      </Frame>
    )
  return (
    <Frame
      containerRef={container}
      footer={t`A copy of a conversation with ${assistantName}, made on ${{ sharedOn: formatDate(new Date(first.shared_at)) }}. Replies are written by an AI and can be wrong. The link works until ${{ endsOn: formatDate(new Date(first.ends_at)) }}.`}
    >
      <h1 dir="auto" className="text-2xl font-semibold wrap-anywhere">
        {formatConversationTitle(first.title)}
      </h1>
      <p className="mt-1 text-sm text-ink-muted">{t`Shared conversation · ${{ day: formatDate(new Date(first.shared_at)) }}`}</p>
      <PreviewHost
        getPreviewContainer={getPreviewContainer}
        renderPanel={(opened) => <PreviewPanel messages={messages} streamingText="" isSticky {...opened} />}
      >
        <div className="mt-8 grid gap-8 max-sm:mt-6 max-sm:gap-6">
          {messages.map((message, index) => (
            <Message key={index} message={message} assistantName={assistantName} />
          ))}
        </div>
      </PreviewHost>
      {hasNextPage && (
        <div className="mt-8 flex flex-wrap items-center gap-3 print:hidden">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t`Show more messages`}
          </Button>
          {hasFailed && (
            <p role="alert" className="text-sm text-danger-ink">
              {formatError(error, isOnline)}
            </p>
          )}
        </div>
      )}
    </Frame>
  )
}

function formatError(error: unknown, isOnline: boolean): string {
  if (error instanceof ApiError) return error.userMessage
  if (!isOnline) return t`You are offline. The conversation loads when you are back.`
  return t`The service could not be reached. Please try again.`
}

/** The header and the footer of the page. */
function Frame({
  children,
  footer,
  containerRef,
}: {
  children: ReactNode
  footer?: ReactNode
  /** set to the element in which previews are shown beside the conversation */
  containerRef?: RefObject<HTMLDivElement | null>
}) {
  return (
    <div ref={containerRef} className="flex items-start print:block">
      <div className="grid min-h-dvh min-w-0 flex-1 grid-cols-1 grid-rows-[auto_minmax(0,1fr)_auto] print:block">
        <header className="border-b border-line px-6 py-4 max-sm:px-4 max-sm:py-3 print:hidden">
          <SiteBar />
          <Brand />
        </header>
        <main className="mx-auto w-full max-w-[calc(var(--width-settings)+3rem)] px-6 py-10 max-sm:px-4 max-sm:py-6 print:max-w-none print:p-0">
          {children}
        </main>
        <footer className="mx-auto w-full max-w-[calc(var(--width-settings)+3rem)] px-6 pt-4 pb-10 text-sm text-ink-muted max-sm:px-4 print:max-w-none print:px-0">
          {footer}
        </footer>
      </div>
    </div>
  )
}

function Message({ message, assistantName }: { message: SharedMessage; assistantName: string }) {
  const { role, content, files, sources, tables, ended } = message
  const omittedFiles = files > 0 && (
    <p className="text-sm text-ink-faint">
      {plural(
        { count: files },
        { 1: 'A file is not part of the copy.', other: `# files are not part of the copy.` },
      )}
    </p>
  )
  if (role === 'user')
    return (
      <div className="flex flex-col items-end gap-2">
        <h2 className="sr-only">{t`Question`}</h2>
        {content !== '' && (
          <div
            dir="auto"
            translate="no"
            className="max-w-[min(36rem,85%)] rounded-lg rounded-br-xs mirrored:rounded-br-lg mirrored:rounded-bl-xs bg-accent-soft px-4 py-[11px] text-base forced-colors:border whitespace-pre-wrap wrap-anywhere [unicode-bidi:plaintext] max-sm:max-w-[88%]"
          >
            {content}
          </div>
        )}
        {omittedFiles}
      </div>
    )
  return (
    <div className="grid grid-cols-[28px_minmax(0,1fr)] gap-x-3 max-sm:grid-cols-1 max-sm:gap-y-2 print:block">
      <span
        aria-hidden
        className="-mt-px grid size-7 place-items-center rounded-full bg-accent-soft max-sm:size-6 print:hidden"
      >
        <Logo size={18} className="max-sm:size-4" />
      </span>
      <div className="grid grid-cols-1 gap-4 text-base">
        <h2 className="sr-only">{assistantName}</h2>
        {content !== '' && <Markdown text={content} isStreaming={false} />}
        {tables?.map(({ columns, rows, total_rows: total }, index) => (
          <QueryTable key={index} result={{ columns, rows, total, sql: '', sources: [] }} />
        ))}
        {sources && <SourceList sources={sources} />}
        {omittedFiles}
        {ended && <p className="text-sm text-ink-muted">{describeEnding({ ended })}</p>}
      </div>
    </div>
  )
}

/** For links that are unknown, revoked or expired: the server does not say which. */
function LinkNotFound() {
  return (
    <Frame>
      <div className="max-w-md py-12">
        <h1 className="mb-2 text-2xl font-semibold">{t`Link not found`}</h1>
        <p className="text-base text-ink-muted">{t`It was revoked, it has expired, or a part of it is missing. Ask the person who shared it for a new one.`}</p>
      </div>
    </Frame>
  )
}

function Loading() {
  return (
    <div role="status" aria-label={t`Loading the conversation`} className="grid gap-4">
      <h1 className="sr-only">{t`Shared conversation`}</h1>
      <Skeleton className="h-6 w-2/3" />
      <Skeleton className="mt-6 ms-auto h-10 w-1/2" />
      <Skeleton className="w-full" />
      <Skeleton className="w-4/5" />
      <Skeleton className="w-11/12" />
    </div>
  )
}
