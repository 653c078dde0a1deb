import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '../../lib/navigation/router.tsx'
import { MoreRows, QueryContent } from '../../components/query-content.tsx'
import { callApi } from '../../lib/api/call-api.ts'
import { projectConversationsKey } from '../../lib/conversations/conversation-list.ts'
import { formatConversationTitle } from '../../lib/conversations/conversation-title.ts'
import { formatUpdated } from '../../lib/text/dates.ts'
import { formatCount } from '../../lib/text/locale.ts'
import { conversationPath } from '../../lib/navigation/new-chat.ts'
import { useIsDeleting } from '../../lib/actions/running-actions.ts'
import { useNow } from '../../lib/browser/use-now.ts'

/** How many conversations are loaded at once: more than a screen shows below the composer. */
const pageSize = 20

/** The conversations of a project, the newest first. */
export function ProjectConversations({ projectId }: { projectId: string }) {
  const now = useNow()
  const isDeleting = useIsDeleting()
  const query = useInfiniteQuery({
    queryKey: [...projectConversationsKey, projectId],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        'sessions.list',
        { query: { project_id: projectId, limit: pageSize, cursor: pageParam } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ sessions }) => sessions),
    // a page that is opened again loads its first page only, not all that were shown before
    gcTime: 0,
  })
  const sessions = query.data?.filter(({ id }) => !isDeleting(id))
  return (
    <section>
      <h2 className="mt-3 mb-2 flex items-baseline gap-2 text-sm font-medium text-ink-muted">
        {t`Conversations`}
        {sessions && sessions.length > 0 && !query.hasNextPage && (
          <span className="font-normal text-ink-faint">{formatCount(sessions.length)}</span>
        )}
      </h2>
      <QueryContent
        query={{ ...query, data: sessions }}
        label={t`Loading its conversations`}
        failure={t`Its conversations could not be loaded.`}
        empty={t`None yet. Write above, or move one here from the menu of its line in the list.`}
      >
        {(shown) => (
          <>
            <ul aria-label={t`Conversations`} className="-mx-3 text-ui">
              {shown.map(({ id, title, updated_at: updatedAt, archived }) => (
                <li key={id}>
                  <Link
                    to={conversationPath(id)}
                    className="flex min-h-11 items-center gap-4 rounded-sm px-3 py-1 text-ink no-underline hover:bg-surface-hover focus-visible:-outline-offset-2"
                  >
                    <span
                      className="min-w-0 flex-1 truncate"
                      dir="auto"
                      title={formatConversationTitle(title)}
                    >
                      {formatConversationTitle(title)}
                    </span>
                    <span className="shrink-0 text-xs text-ink-faint">
                      {archived === true && `${t({ message: 'Archived', context: 'one conversation' })} · `}
                      {formatUpdated(new Date(updatedAt), now)}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
            <MoreRows query={query} />
          </>
        )}
      </QueryContent>
    </section>
  )
}
