import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Group } from '#shared/contracts/admin.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { ignoreNotFound } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { adminKey, groupsQuery } from '../admin-queries.ts'
import { LimitsList } from '../limits-list.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { useLast } from '../../../lib/use-last.ts'
import { Loaded } from '../../../components/loaded.tsx'
import * as texts from './texts.ts'
import * as adminTexts from '../texts.ts'

/** The groups with their limits. */
export function GroupsSection() {
  const queryClient = useQueryClient()
  const query = useQuery(groupsQuery)
  const [editor, setEditor] = useState<{ group: Group | undefined; key: number; isOpen: boolean }>()
  const list = useRef<HTMLUListElement>(null)
  const [groupToDelete, setGroupToDelete] = useState<Group>()
  const lastGroup = useLast(groupToDelete)
  // a new key, so that each opening starts with the group as it is
  const openEditor = (group: Group | undefined) =>
    setEditor((last) => ({ group, key: (last?.key ?? 0) + 1, isOpen: true }))
  return (
    <SettingsCard title={texts.groups} subtitle={texts.groupsHint}>
      <Button className="mt-4 max-sm:w-full" onClick={() => openEditor(undefined)}>
        <Plus aria-hidden size={16} />
        {texts.newGroup}
      </Button>
      <CardSection>
        <Loaded query={query} label={texts.loading} empty={texts.noGroups}>
          {(groups) => (
            <ul ref={list} aria-label={texts.groups} className="-my-4 divide-y divide-line">
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
        </Loaded>
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
        <ActionDialog
          open={groupToDelete !== undefined}
          onClose={() => setGroupToDelete(undefined)}
          title={texts.deleteTitle}
          confirmLabel={texts.deleteGroup}
          isDestructive
          // the row has gone with its button
          findFocusTarget={() =>
            query.data?.some(({ name }) => name === lastGroup.name)
              ? null
              : (list.current?.querySelector<HTMLElement>('button') ?? null)
          }
          onConfirm={async () => {
            await callApi('admin.deleteGroup', { params: { groupName: lastGroup.name } }).catch(
              ignoreNotFound,
            )
            await queryClient.invalidateQueries({ queryKey: adminKey })
          }}
        >
          <p className="wrap-anywhere text-ink-muted">
            {texts.deleteHint(lastGroup.name, texts.members(lastGroup.members))}
          </p>
        </ActionDialog>
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
  const isAdminGroup = name === adminGroup
  const shownDescription = description === '' && isAdminGroup ? adminTexts.adminsHint : description
  return (
    <li className="flex items-start gap-4 py-4 max-sm:flex-col max-sm:items-stretch max-sm:gap-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium wrap-anywhere">{name}</span>
          <span className="text-sm text-ink-muted">{texts.members(members)}</span>
        </p>
        {shownDescription !== '' && (
          <p className="wrap-anywhere text-ink-muted" dir="auto">
            {shownDescription}
          </p>
        )}
        <div className="mt-2">
          <LimitsList limits={limits} label={texts.limitsFor(name)} />
        </div>
      </div>
      <div className="flex shrink-0 gap-2">
        <Button size="sm" aria-label={texts.editGroup(name)} onClick={onEdit}>
          {texts.edit}
        </Button>
        {!isAdminGroup && (
          <Button size="sm" variant="danger" aria-label={texts.deleteNamed(name)} onClick={onDelete}>
            {texts.deleteGroup}
          </Button>
        )}
      </div>
    </li>
  )
}
