import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Settings2, SquarePen } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { lazyComponent } from '../../components/lazy-component.tsx'
import { OfflineBar } from '../../components/offline-bar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SavedPrompts } from '../../components/saved-prompts.tsx'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { Button, buttonClass } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { ApiError, errorMessage } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { useBrand } from '../../lib/config.ts'
import { formatUpdated } from '../../lib/dates.ts'
import { projectChatPath, projectQuery } from '../../lib/projects.ts'
import { ProjectFiles, type UploadFile } from './project-files.tsx'
import * as pageTexts from './page-texts.ts'
import * as texts from './texts.ts'
import * as commonTexts from '../../components/texts.ts'

const { Component: SettingsDialog } = lazyComponent(
  () => import('./settings-dialog.tsx').then((module) => module.SettingsDialog),
  null,
)

const mainClass =
  'mx-auto grid max-w-[calc(var(--width-settings)+3rem)] gap-4 px-6 pt-6 pb-16 max-sm:px-4 max-sm:pt-4 max-sm:pb-12'

/** The page of a project: its conversations, instructions, files and saved prompts. */
export function ProjectPage({ projectId, upload }: { projectId: string; upload: UploadFile }) {
  const navigate = useNavigate()
  const { brandName } = useBrand()
  const { data: project, error, refetch } = useQuery(projectQuery(projectId))
  const [isEditing, setIsEditing] = useState(false)
  const title = project?.name ?? texts.project
  useEffect(() => {
    const before = document.title
    document.title = `${title} - ${brandName}`
    return () => {
      document.title = before
    }
  }, [title, brandName])
  const isMissing = error instanceof ApiError && error.status === 404

  return (
    <div className="min-h-dvh">
      <OfflineBar />
      <PageHeader
        title={title}
        subtitle={texts.subtitle}
        onBack={() => void navigate('/')}
        actions={
          project && (
            <Button size="sm" onClick={() => setIsEditing(true)}>
              <Settings2 aria-hidden size={16} />
              {texts.settings}
            </Button>
          )
        }
      />
      <main className={mainClass}>
        {isMissing ? (
          <div className="grid justify-items-start gap-4 py-12">
            <p className="text-base text-ink-muted">{texts.missing}</p>
            <Link to="/" className={buttonClass()}>
              {texts.home}
            </Link>
          </div>
        ) : project ? (
          <>
            <Link to={projectChatPath(projectId)} className={buttonClass({ variant: 'primary', size: 'lg' })}>
              <SquarePen aria-hidden size={16} />
              {texts.newChat}
            </Link>
            <Conversations projectId={projectId} />
            <SettingsCard title={texts.instructions}>
              <p
                dir="auto"
                className={`mt-3 line-clamp-6 [overflow-wrap:anywhere] whitespace-pre-wrap ${project.instructions === '' ? 'text-ink-muted' : ''}`}
              >
                {project.instructions || texts.noInstructions}
              </p>
            </SettingsCard>
            <ProjectFiles project={project} upload={upload} />
            <SettingsCard title={texts.prompts} subtitle={texts.promptsHint}>
              <SavedPrompts projectId={projectId} />
            </SettingsCard>
            {isEditing && <SettingsDialog project={project} onClose={() => setIsEditing(false)} />}
          </>
        ) : error ? (
          <Callout variant="danger" action={{ label: commonTexts.retry, onClick: () => void refetch() }}>
            {texts.notLoaded} {errorMessage(error)}
          </Callout>
        ) : (
          <div role="status" aria-label={texts.loading} className="grid gap-4">
            <Skeleton className="h-11 w-full" />
            <Skeleton className="h-40 w-full" />
            <Skeleton className="h-28 w-full" />
          </div>
        )}
      </main>
    </div>
  )
}

const pageSize = 20

function Conversations({ projectId }: { projectId: string }) {
  const [now] = useState(() => new Date())
  const { data, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['project-sessions', projectId],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        'sessions.list',
        { query: { project_id: projectId, limit: pageSize, cursor: pageParam } },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    gcTime: 0,
  })
  const sessions = data?.pages.flatMap((page) => page.sessions)
  return (
    <SettingsCard title={texts.conversations}>
      {sessions === undefined && isError ? (
        <div className="mt-3">
          <Callout variant="danger" action={{ label: commonTexts.retry, onClick: () => void refetch() }}>
            {texts.conversationsNotLoaded}
          </Callout>
        </div>
      ) : sessions === undefined ? (
        <div role="status" aria-label={texts.loadingConversations} className="mt-4 grid gap-3">
          <Skeleton className="w-3/5" />
          <Skeleton className="w-2/5" />
        </div>
      ) : sessions.length === 0 ? (
        <p className="mt-3 text-ink-muted">{texts.noConversations}</p>
      ) : (
        <ul aria-label={texts.conversations} className="-mx-3 mt-2">
          {sessions.map(({ id, title, message_count: count, updated_at, archived }) => (
            <li key={id}>
              <Link
                to={`/?c=${encodeURIComponent(id)}`}
                className="block rounded-md px-3 py-2 text-ink no-underline hover:bg-surface-hover"
              >
                <span className="block truncate font-medium">
                  <bdi>{title}</bdi>
                </span>
                <span className="block text-xs text-ink-muted">
                  {pageTexts.messageCount(count)} · {formatUpdated(new Date(updated_at), now)}
                  {archived === true && ` · ${texts.archived}`}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <CardSection className="flex justify-center">
          <Button size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.moreConversations}
          </Button>
        </CardSection>
      )}
    </SettingsCard>
  )
}
