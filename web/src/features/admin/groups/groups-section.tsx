import { t, plural } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Group } from '#shared/contracts/admin.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { groupsQuery, adminKey } from '../admin-queries.ts'
import { findFocusWithoutRow } from '../find-focus-without-row.ts'
import { describeGroup } from '../group-choice.tsx'
import { LimitsList } from '../limits-list.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { useLast } from '../../../lib/browser/use-last.ts'
import { QueryContent } from '../../../components/query-content.tsx'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { ignoreNotFound } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { LimitsChange } from '../limits-change.tsx'

/** The groups with their limits. */
export function GroupsSection() {
  const query = useQuery(groupsQuery)
  const [editor, setEditor] = useState<{ group: Group | undefined; key: number; isOpen: boolean }>()
  const list = useRef<HTMLUListElement>(null)
  const [groupToDelete, setGroupToDelete] = useState<Group>()
  const lastGroup = useLast(groupToDelete)
  // a new key, so that each opening starts with the group as it is
  const openEditor = (group: Group | undefined) =>
    setEditor((last) => ({ group, key: (last?.key ?? 0) + 1, isOpen: true }))
  return (
    <SettingsCard
      title={t`Groups`}
      subtitle={t`A group says what its members may use. Somebody in several groups has the most generous value of each limit that one of them sets.`}
    >
      <Button className="mt-4 max-sm:w-full" onClick={() => openEditor(undefined)}>
        <Plus aria-hidden size={16} />
        {t`New group`}
      </Button>
      <CardSection>
        <QueryContent
          query={query}
          label={t`Loading the groups`}
          empty={t`No groups yet. Without one, everybody has the limits of the installation.`}
        >
          {(groups) => (
            <ul ref={list} aria-label={t`Groups`} className="-my-4 divide-y divide-line">
              {groups.map((group) => (
                <GroupRow
                  key={group.name}
                  group={group}
                  onEdit={() => openEditor(group)}
                  onDelete={() => setGroupToDelete(group)}
                />
              ))}
            </ul>
          )}
        </QueryContent>
      </CardSection>
      {editor && (
        <GroupDialog
          key={editor.key}
          group={editor.group}
          open={editor.isOpen}
          onClose={() => setEditor({ ...editor, isOpen: false })}
        />
      )}
      {lastGroup && (
        <DeleteGroupDialog
          group={lastGroup}
          open={groupToDelete !== undefined}
          onClose={() => setGroupToDelete(undefined)}
          findFocusTarget={() =>
            findFocusWithoutRow(list.current, {
              hasRow: query.data?.some(({ name }) => name === lastGroup.name) === true,
            })
          }
        />
      )}
    </SettingsCard>
  )
}

function GroupRow({
  group: { name, description, limits, members },
  onEdit,
  onDelete,
}: {
  group: Group
  onEdit: () => void
  onDelete: () => void
}) {
  const shownDescription = describeGroup({ name, description })
  return (
    <li className="flex items-start gap-4 py-4 max-sm:flex-col max-sm:items-stretch max-sm:gap-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium wrap-anywhere">{name}</span>
          <span className="text-sm text-ink-muted">{formatMemberCount(members)}</span>
        </p>
        {shownDescription !== '' && (
          <p className="wrap-anywhere text-ink-muted">
            <bdi>{shownDescription}</bdi>
          </p>
        )}
        <div className="mt-2">
          <LimitsList limits={limits} label={t`Limits of ${name}`} />
        </div>
      </div>
      <div className="flex shrink-0 gap-2">
        <Button size="sm" aria-label={t`Edit ${name}`} onClick={onEdit}>
          {t`Edit`}
        </Button>
        {name !== adminGroup && (
          <Button size="sm" variant="danger" aria-label={t`Delete ${name}`} onClick={onDelete}>
            {t`Delete`}
          </Button>
        )}
      </div>
    </li>
  )
}

const describeConsequences = (name: string, members: string) =>
  t`“${name}” (${members}) and its limits are removed. Its members stay users, with the limits of their other groups or of the installation.`

/** Deletes a group after a confirmation. @param findFocusTarget as in `ActionDialog` */
function DeleteGroupDialog({
  group: { name, members, limits },
  open,
  onClose,
  findFocusTarget,
}: {
  group: Group
  open: boolean
  onClose: () => void
  findFocusTarget: () => HTMLElement | null
}) {
  const queryClient = useQueryClient()
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={t`Delete this group?`}
      confirmLabel={t`Delete`}
      isDestructive
      actionKey={`delete group ${name}`}
      findFocusTarget={findFocusTarget}
      onConfirm={async () => {
        await callApi('admin.deleteGroup', { params: { groupName: name } }).catch(ignoreNotFound)
        await queryClient.invalidateQueries({ queryKey: adminKey })
      }}
    >
      <p className="wrap-anywhere text-ink-muted">{describeConsequences(name, formatMemberCount(members))}</p>
      <LimitsChange before={limits} after={{}} whose={t`For members of no other group:`} />
    </ActionDialog>
  )
}

/** How many members a group has. @param count null: too many for the service to count */
const formatMemberCount = (count: number | null): string =>
  count === null ? t`Many members` : plural(count, { one: '# member', other: `# members` })
