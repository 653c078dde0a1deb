import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plug, Upload, Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from '../../lib/navigation/router.tsx'
import type { Assistant } from '#shared/contracts/assistants.ts'
import { QueryContent } from '../../components/query-content.tsx'
import { NameTile } from '../../components/name-tile.tsx'
import { buttonClass, Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { formatList } from '../../lib/text/locale.ts'
import { newChatPath } from '../../lib/navigation/new-chat.ts'
import { useRight, useToolsAllowed } from '../../lib/account/account-queries.ts'
import { useDocumentTitle } from '../../lib/navigation/use-document-title.ts'
import { integrationsPath, publishPath, projectPath } from '../../lib/navigation/paths.ts'
import { useAction } from '../../components/use-action.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { publishTimeoutMs } from '../../lib/browser/limits.ts'
import { projectsQuery } from '../../lib/queries/project-queries.ts'
import { promptsQuery } from '../../lib/queries/prompt-queries.ts'

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

/** Copies an assistant to a project of the user, with its instructions, prompts and the texts of its files, and leads to it. */
function CopyButton({ assistant: { id: assistantId, name } }: { assistant: Assistant }) {
  const queryClient = useQueryClient()
  // the id of the copy: pressing the button again after a lost response makes no second one
  const [id, setId] = useState(() => crypto.randomUUID())
  const { isBusy, start } = useAction(
    `copy the assistant ${assistantId}`,
    async (_, openResult) => {
      await callApi(
        'assistants.copy',
        { params: { assistantId }, body: { id } },
        { timeoutMs: publishTimeoutMs },
      )
      setId(crypto.randomUUID())
      for (const { queryKey } of [projectsQuery, promptsQuery])
        void queryClient.invalidateQueries({ queryKey })
      openResult(projectPath(id), t`“${{ name }}” is ready`)
    },
    t`The assistant could not be copied`,
  )
  return (
    <Button variant="ghost" size="sm" className="mt-5" busy={isBusy} onClick={() => start()}>
      {!isBusy && <Copy aria-hidden size={16} />}
      {t`Copy to my projects`}
    </Button>
  )
}
