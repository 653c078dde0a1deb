import { plural, t } from '@lingui/core/macro'
import { QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef } from 'react'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { SharedMessage as SharedMessageData } from '#shared/contracts/shares.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Brand } from '../../../components/page-frame.tsx'
import { SiteBar } from '../../../components/site-bar.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { CopyDetails } from '../../../components/ui/copy-details.tsx'
import { Logo } from '../../../components/ui/logo.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { useUserQueryClient } from '../../../lib/actions/user-resources.ts'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useBrand } from '../../../lib/api/config.ts'
import { useOnline } from '../../../lib/browser/online.ts'
import { formatConversationTitle } from '../../../lib/conversations/conversation-title.ts'
import { useLocation } from '../../../lib/navigation/router.tsx'
import { useDocumentTitle } from '../../../lib/navigation/use-document-title.ts'
import { formatDate } from '../../../lib/text/dates.ts'
import { describeEnding } from '../describe-ending.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { PreviewHost } from '../preview/preview-host.tsx'
import { SourceList } from '../reasoning/source-list.tsx'

const QueryTable = lazyComponent(
  () => import('../query/query-table.tsx'),
  'QueryTable',
  <div className="h-40" />,
)

interface MessageProps {
  message: SharedMessageData
  assistantName: string
}

/** A message of a shared conversation. Its files are not part of the copy and only counted. */
const SharedMessage = ({ message, assistantName }: MessageProps) =>
  message.role === 'user' ? (
    <Question message={message} />
  ) : (
    <Reply message={message} assistantName={assistantName} />
  )

function OmittedFiles({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <p className="text-sm text-ink-faint">
      {plural(
        { count },
        { 1: 'A file is not part of the copy.', other: `# files are not part of the copy.` },
      )}
    </p>
  )
}

function Question({ message: { content, files } }: Pick<MessageProps, 'message'>) {
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
      <OmittedFiles count={files} />
    </div>
  )
}

function Reply({ message, assistantName }: MessageProps) {
  const { content, files, sources, tables, ended } = message
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
        <OmittedFiles count={files} />
        {ended && <p className="text-sm text-ink-muted">{describeEnding({ ended })}</p>}
      </div>
    </div>
  )
}

const PreviewPanel = lazyComponent(() => import('../preview/preview-panel.tsx'), 'PreviewPanel', null)

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
  const conversation = useSharedConversation(secret, { asVisitor: renderSignedIn !== undefined })
  useDocumentTitle(getTitle(conversation))
  if (conversation.isSignInRequired && renderSignedIn)
    return renderSignedIn(<SharedConversation secret={secret} />)
  if (conversation.isNotFound) return <LinkNotFound />
  if (conversation.first) return <LoadedConversation {...conversation} first={conversation.first} />
  return (
    <SharedFrame>
      {conversation.problem === undefined ? (
        <Loading />
      ) : (
        <div role="alert" className="flex flex-col items-start gap-4 py-12">
          <h1 className="text-2xl font-semibold">{t`This could not be loaded`}</h1>
          <p className="text-base text-ink-muted">{conversation.problem}</p>
          <Button onClick={conversation.retry}>{t`Try again`}</Button>
          <CopyDetails error={conversation.error} />
        </div>
      )}
    </SharedFrame>
  )
}

type Conversation = ReturnType<typeof useSharedConversation>

function getTitle({ isNotFound, first }: Conversation): string {
  if (isNotFound) return t`Link not found`
  return first ? formatConversationTitle(first.title) : t`Shared conversation`
}

/**
 * Moves the focus to the first of the new messages when the button that has loaded them is gone with the last page.
 * @returns `list`: for the element around the messages; `prepare`: to be called before more are loaded
 */
function useFocusOnNext(count: number) {
  const list = useRef<HTMLDivElement>(null)
  const countBefore = useRef(Infinity)
  useEffect(() => {
    if (count <= countBefore.current) return
    const next = list.current?.children[countBefore.current]
    countBefore.current = Infinity
    if (next instanceof HTMLElement && document.activeElement === document.body)
      next.focus({ preventScroll: true })
  }, [count])
  const prepare = () => {
    countBefore.current = count
  }
  return { list, prepare }
}

/** The messages that are loaded, with the button for more. */
function LoadedConversation({
  first,
  messages,
  problem,
  error,
  hasNextPage,
  isFetchingNextPage,
  loadNextPage,
}: Conversation & { first: NonNullable<Conversation['first']> }) {
  const { assistantName } = useBrand()
  const container = useRef<HTMLDivElement>(null)
  const getPreviewContainer = useCallback(() => container.current, [])
  const { list, prepare } = useFocusOnNext(messages.length)
  return (
    <SharedFrame
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
        <div ref={list} className="mt-8 grid gap-8 max-sm:mt-6 max-sm:gap-6">
          {messages.map((message, index) => (
            <div key={index} tabIndex={-1} className="outline-none">
              <SharedMessage message={message} assistantName={assistantName} />
            </div>
          ))}
        </div>
      </PreviewHost>
      {hasNextPage && (
        <div className="mt-8 flex flex-wrap items-center gap-3 print:hidden">
          <Button
            busy={isFetchingNextPage}
            onClick={() => {
              prepare()
              loadNextPage()
            }}
          >
            {t`Show more messages`}
          </Button>
          {problem !== undefined && (
            <p role="alert" className="text-sm text-danger-ink">
              {problem} <CopyDetails error={error} />
            </p>
          )}
        </div>
      )}
    </SharedFrame>
  )
}

/** For links that are unknown, gone or expired: the server does not say which. */
function LinkNotFound() {
  return (
    <SharedFrame>
      <div className="max-w-md py-12">
        <h1 className="mb-2 text-2xl font-semibold">{t`Link not found`}</h1>
        <p className="text-base text-ink-muted">{t`It may have been revoked or deleted, have expired, or lack a part. Ask the person who shared it for a new one.`}</p>
      </div>
    </SharedFrame>
  )
}

function Loading() {
  return (
    <>
      {/* outside, because what is inside a progress bar is hidden from screen readers */}
      <h1 className="sr-only">{t`Shared conversation`}</h1>
      <div role="progressbar" aria-label={t`Loading the conversation`} className="grid gap-4">
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="mt-6 ms-auto h-10 w-1/2" />
        <Skeleton className="w-full" />
        <Skeleton className="w-4/5" />
        <Skeleton className="w-11/12" />
      </div>
    </>
  )
}

/** The header and the footer of the page of a shared conversation. */
function SharedFrame({
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

/**
 * Loads a shared conversation, page by page. If its first page could not be loaded, it is requested again once the browser is online.
 * @param options.asVisitor whether it is requested without the user's sign-in
 * @returns `first`: the first page, undefined until it is loaded; `problem`: why the first or the next page could not be loaded, for the user
 */
function useSharedConversation(secret: string, { asVisitor }: { asVisitor: boolean }) {
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
