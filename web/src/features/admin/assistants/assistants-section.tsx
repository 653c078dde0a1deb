import { plural, t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Assistant } from '#shared/contracts/assistants.ts'
import { QueryContent } from '../../../components/query-content.tsx'
import { NameTile } from '../../../components/name-tile.tsx'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { formatDate } from '../../../lib/text/dates.ts'
import { formatList } from '../../../lib/text/locale.ts'
import { useLast } from '../../../lib/browser/use-last.ts'
import { adminAssistantsQuery } from '../admin-queries.ts'
import { findFocusWithoutRow } from '../find-focus-without-row.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { ignoreNotFound } from '../../../lib/api/api-errors.ts'
import { assistantsQuery } from '../../../lib/conversations/assistant-queries.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { publishTimeoutMs } from '../../../lib/browser/limits.ts'

/** The assistants that are published here, which administrators can withdraw. */
export function AssistantsSection() {
  const query = useQuery(adminAssistantsQuery)
  const [assistantToWithdraw, setAssistantToWithdraw] = useState<Assistant>()
  const last = useLast(assistantToWithdraw)
  const list = useRef<HTMLUListElement>(null)
  return (
    <SettingsCard
      title={t`Assistants`}
      subtitle={t`Projects that people here have published for others. Their instructions and files are not shown here.`}
    >
      <CardSection>
        <QueryContent
          query={query}
          label={t`Loading the assistants`}
          empty={t`None yet. People publish on the page of a project.`}
        >
          {(assistants) => (
            <ul ref={list} aria-label={t`Assistants`} className="-my-4 divide-y divide-line">
              {assistants.map((assistant) => (
                <AssistantRow
                  key={assistant.id}
                  assistant={assistant}
                  onWithdraw={() => setAssistantToWithdraw(assistant)}
                />
              ))}
            </ul>
          )}
        </QueryContent>
      </CardSection>
      {last && (
        <WithdrawDialog
          assistant={last}
          open={assistantToWithdraw !== undefined}
          onClose={() => setAssistantToWithdraw(undefined)}
          findFocusTarget={() =>
            findFocusWithoutRow(list.current, {
              hasRow: query.data?.some(({ id }) => id === last.id) === true,
            })
          }
        />
      )}
    </SettingsCard>
  )
}

const formatUses = (count: number) =>
  plural(count, { one: '# conversation begun', other: `# conversations begun` })

function describeAudience({ audience }: Assistant): string {
  if (audience === 'everyone') return t`Everyone here`
  const groups = audience?.groups ?? []
  return groups.length === 0 ? t`Nobody else` : formatList(groups)
}

function AssistantRow({ assistant, onWithdraw }: { assistant: Assistant; onWithdraw: () => void }) {
  const { name, description, publisher, version, published_at: publishedAt, uses = 0 } = assistant
  return (
    <li className="flex items-start gap-4 py-4 max-sm:flex-wrap">
      <NameTile name={name} picture={assistant.picture?.url} />
      <div className="min-w-0 flex-1 max-sm:min-w-3/5">
        <p className="font-medium wrap-anywhere" dir="auto">
          {name}
        </p>
        {description !== '' && (
          <p className="wrap-anywhere text-ink-muted" dir="auto">
            {description}
          </p>
        )}
        <p className="text-sm wrap-anywhere text-ink-muted">
          {[
            t`By ${{ publisher: publisher.name }}`,
            describeAudience(assistant),
            t`version ${{ version }} since ${{ day: formatDate(new Date(publishedAt)) }}`,
            formatUses(uses),
          ].join(' · ')}
        </p>
      </div>
      <Button
        size="sm"
        variant="danger"
        className="max-sm:w-full"
        aria-label={t`Withdraw ${{ assistant: name }}`}
        onClick={onWithdraw}
      >
        {t`Withdraw`}
      </Button>
    </li>
  )
}

/** Withdraws somebody's assistant after a confirmation. @param findFocusTarget as in `ActionDialog` */
function WithdrawDialog({
  assistant: { id, name, publisher },
  open,
  onClose,
  findFocusTarget,
}: {
  assistant: Assistant
  open: boolean
  onClose: () => void
  findFocusTarget: () => HTMLElement | null
}) {
  const queryClient = useQueryClient()
  const withdraw = async () => {
    await callApi(
      'assistants.withdraw',
      { params: { assistantId: id } },
      { timeoutMs: publishTimeoutMs },
    ).catch(ignoreNotFound)
    await Promise.all(
      [adminAssistantsQuery, assistantsQuery].map(({ queryKey }) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
  }
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={t`Withdraw “${{ assistant: name }}”?`}
      confirmLabel={t`Withdraw`}
      isDestructive
      actionKey={`withdraw ${id}`}
      findFocusTarget={findFocusTarget}
      onConfirm={withdraw}
    >
      <p className="text-ink-muted">{t`It ends at once for everybody; their conversations go on without it. The project of ${{ publisher: publisher.name }} stays, and can be published again.`}</p>
    </ActionDialog>
  )
}
