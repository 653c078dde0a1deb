import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Plug, Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Assistant } from '#shared/contracts/assistants.ts'
import { NameTile } from '../../components/name-tile.tsx'
import { QueryContent } from '../../components/query-content.tsx'
import { buttonClass } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { useRight, useToolsAllowed } from '../../lib/account/account-queries.ts'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { newChatPath } from '../../lib/navigation/new-chat.ts'
import { integrationsPath, publishPath } from '../../lib/navigation/paths.ts'
import { Link } from '../../lib/navigation/router.tsx'
import { useDocumentTitle } from '../../lib/navigation/use-document-title.ts'
import { formatList } from '../../lib/text/locale.ts'
import { CopyButton } from './copy-button.tsx'

interface AssistantPageProps {
  assistantId: string
  /** ids of what the user has connected; undefined while it is unknown */
  connectedIds: readonly string[] | undefined
  /** the composer and the starters of a new conversation with it */
  renderComposer: (assistant: Assistant) => ReactNode
}

/** The page of an assistant, on which conversations with it begin. */
export function AssistantPage({ assistantId, connectedIds, renderComposer }: AssistantPageProps) {
  const query = useQuery(assistantsQuery)
  const assistant = query.data?.assistants.find(({ id }) => id === assistantId)
  useDocumentTitle(assistant?.name ?? t`Assistant`)
  return (
    <main className="relative flex h-full min-h-0 flex-col overflow-y-auto overscroll-contain scroll-quiet [scrollbar-gutter:stable_both-edges]">
      <div className="mx-auto my-auto w-full max-w-[calc(var(--width-chat)+3rem)] p-6 max-sm:px-4">
        {!query.data && <h1 className="sr-only">{t`Assistant`}</h1>}
        <QueryContent
          query={query}
          label={t`Loading the assistant`}
          failure={t`The assistant could not be loaded.`}
          placeholder={
            <>
              <Skeleton className="h-10 w-64" />
              <Skeleton className="h-28 w-full rounded-lg" />
            </>
          }
        >
          {() =>
            assistant ? (
              <AssistantStart
                assistant={assistant}
                connectedIds={connectedIds}
                composer={renderComposer(assistant)}
              />
            ) : (
              <div className="grid justify-items-start gap-4">
                <h1 className="text-base font-normal text-ink-muted">
                  {t`There is no such assistant here. It may have been withdrawn.`}
                </h1>
                <Link to={newChatPath()} className={buttonClass()}>
                  {t`Back to the chat`}
                </Link>
              </div>
            )
          }
        </QueryContent>
      </div>
    </main>
  )
}

/** What an assistant is, and what can be done with it. */
function AssistantStart({
  assistant,
  connectedIds,
  composer,
}: {
  assistant: Assistant
  connectedIds: AssistantPageProps['connectedIds']
  composer: ReactNode
}) {
  const {
    name,
    description,
    version,
    mine: isOwn,
    publisher,
    tools,
    may_copy: mayCopy,
    project_id: projectId,
  } = assistant
  const mayPublish = useRight('publish')
  const mayUseTools = useToolsAllowed() !== 'none'
  const missingTools = connectedIds ? tools.filter(({ id }) => !connectedIds.includes(id)) : []
  return (
    <>
      <h1 className="flex items-center gap-3 text-2xl font-semibold wrap-anywhere">
        <NameTile name={name} picture={assistant.picture?.url} />
        <bdi>{name}</bdi>
      </h1>
      {description !== '' && (
        <p className="mt-1.5 text-base/6 wrap-anywhere text-ink-muted" dir="auto">
          {description}
        </p>
      )}
      <p className="mt-1.5 mb-5 text-sm text-ink-faint">
        {isOwn
          ? t`Published by you · version ${{ version }}`
          : t`By ${{ publisher: publisher.name }} · version ${{ version }} · your messages stay yours`}
      </p>
      {composer}
      {missingTools.length > 0 && mayUseTools && (
        <div className="mt-5 flex items-center gap-2.5 text-sm text-ink-muted">
          <Plug aria-hidden size={16} className="shrink-0 text-ink-faint" />
          <p className="min-w-0 flex-1">
            {t`It can also use ${{ names: formatList(missingTools.map((tool) => tool.name)) }}, which you have not connected.`}
          </p>
          <Link to={integrationsPath} className={buttonClass({ variant: 'ghost', size: 'sm' })}>
            {t`Connect`}
          </Link>
        </div>
      )}
      {isOwn && projectId !== undefined && (
        <p className="mt-5 flex flex-wrap items-center gap-2">
          <Link
            to={publishPath(projectId)}
            className={buttonClass({ variant: 'ghost', size: 'sm', className: '-ms-3' })}
          >
            <Upload aria-hidden size={16} />
            {mayPublish ? t`Publish a new version` : t`Published`}
          </Link>
        </p>
      )}
      {!isOwn && mayCopy && <CopyButton assistant={assistant} />}
    </>
  )
}
