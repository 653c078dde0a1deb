import { t } from '@lingui/core/macro'
import { getActionErrorMessage } from '../../lib/api/action-error.ts'
import {
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  infiniteQueryOptions,
  queryOptions,
} from '@tanstack/react-query'
import { useState } from 'react'
import type { AllowedTool } from '#shared/contracts/tools.ts'
import { Button } from '../../components/ui/button.tsx'
import { useActionMutation } from '../../components/use-action.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { useBrand } from '../../lib/api/config.ts'
import { formatDate } from '../../lib/text/dates.ts'
import { announce } from '../../lib/browser/announce.ts'
import { ActivityRow } from './activity-row.tsx'
import { CardSection, SettingsCard } from '../../components/settings-card.tsx'
import { QueryContent, MoreRows } from '../../components/query-content.tsx'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { formatServerText } from '../../lib/text/hidden-characters.ts'
import { translateName } from '../../lib/text/translate-name.ts'

/** Longer than the 29 seconds that the service has: it deletes up to a year of calls, in several writes. */
const clearTimeoutMs = 30_000

/** The tool calls of the assistant, and the tools that run without approval. */
export function ActivityCard() {
  const { assistantName } = useBrand()
  return (
    <SettingsCard
      title={t`What the assistant did`}
      subtitle={t`Every call of your tools that ${assistantName} made, and those that were denied. Stored for a year, or until you delete the list.`}
    >
      <CardSection>
        <ActivityList />
      </CardSection>
      <CardSection>
        <AllowedTools />
      </CardSection>
    </SettingsCard>
  )
}

function ActivityList() {
  const query = useInfiniteQuery(activityQuery)
  const queryClient = useQueryClient()
  const [isClearing, setIsClearing] = useState(false)
  const clear = async () => {
    try {
      await callApi('tools.clearLedger', {}, { timeoutMs: clearTimeoutMs })
      announce(t`List deleted`)
    } finally {
      // a part may have been deleted
      void queryClient.resetQueries({ queryKey: activityQuery.queryKey })
    }
  }
  return (
    <>
      <QueryContent
        query={query}
        label={t`Loading what the assistant did`}
        failure={t`The list could not be loaded.`}
        empty={t`Nothing yet. Calls of your tools are listed here.`}
      >
        {(entries) => (
          <>
            <ul aria-label={t`What the assistant did`} className="-mt-2 divide-y divide-line">
              {entries.map((entry) => (
                <ActivityRow key={entry.id} entry={entry} />
              ))}
            </ul>
            <MoreRows query={query} />
            <div className="mt-3 flex justify-end">
              <Button variant="danger" onClick={() => setIsClearing(true)}>
                {t`Delete the list`}
              </Button>
            </div>
          </>
        )}
      </QueryContent>
      <ActionDialog
        open={isClearing}
        onClose={() => setIsClearing(false)}
        title={t`Delete the whole list?`}
        confirmLabel={t`Delete`}
        isDestructive
        actionKey="clear ledger"
        onConfirm={clear}
      >
        <p className="text-ink-muted">{t`This clears the list only. It does not undo any action, and your conversations stay. This cannot be undone.`}</p>
      </ActionDialog>
    </>
  )
}

function AllowedTools() {
  const query = useQuery(allowedToolsQuery)
  return (
    <>
      <h3 className="font-medium">{t`Always allowed`}</h3>
      <p className="mb-3 max-w-(--width-note) text-ink-muted">{t`These tools run without your approval. If the description of a tool changes, it asks again.`}</p>
      <QueryContent
        query={query}
        label={t`Loading what is always allowed`}
        failure={t`The allowed tools could not be loaded.`}
        empty={t`None: in your chats, every call that writes, sends or deletes asks first.`}
      >
        {(tools) => (
          <ul aria-label={t`Always allowed`} className="divide-y divide-line">
            {tools.map((tool) => (
              <AllowedRow key={tool.id} tool={tool} />
            ))}
          </ul>
        )}
      </QueryContent>
    </>
  )
}

function AllowedRow({ tool: { id, title, integration, allowed_at } }: { tool: AllowedTool }) {
  const queryClient = useQueryClient()
  const toolTitle = translateName(title)
  const name = formatServerText(integration === null ? toolTitle : `${integration} · ${toolTitle}`)
  const revocation = useActionMutation(`ask again ${id}`, {
    run: async () => {
      await callApi('tools.revoke', { params: { toolId: id } })
      await queryClient.invalidateQueries({ queryKey: allowedToolsQuery.queryKey })
    },
    onError: (error, _input, { notify }) =>
      notify('error', t`Update failed`, { description: getActionErrorMessage(error), cause: error }),
  })
  return (
    <li className="flex items-center gap-4 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm text-ink-muted">{t`Since ${{ day: formatDate(new Date(allowed_at)) }}`}</p>
      </div>
      <Button
        size="sm"
        busy={revocation.isBusy}
        aria-label={t`Ask again for ${{ tool: name }}`}
        onClick={() => revocation.start()}
      >
        {t`Ask again`}
      </Button>
    </li>
  )
}

/** The tool calls, newest first, page by page. */
const activityQuery = infiniteQueryOptions({
  queryKey: ['ledger'],
  queryFn: ({ pageParam, signal }) => callApi('tools.ledger', { query: { before: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
  select: ({ pages }) => pages.flatMap(({ entries }) => entries),
  // not cached: each reply may add calls, and a list of many pages would be loaded again page by page
  gcTime: 0,
})

/** The tools that run without approval. */
const allowedToolsQuery = queryOptions({
  queryKey: ['allowed-tools'],
  queryFn: async ({ signal }) => (await callApi('tools.allowed', {}, { signal })).tools,
})
