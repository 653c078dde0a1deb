import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { SelectField } from '../../components/ui/select-field.tsx'
import { useUserToast } from '../../components/use-user-toast.ts'
import { getErrorMessage } from '../../lib/api/api-errors.ts'
import { broadcastListChange } from '../../lib/conversations/conversation-broadcast.ts'
import { createConversationCache } from '../../lib/conversations/conversation-cache.ts'
import { projectsQuery } from '../../lib/queries/project-queries.ts'
import { formatConversationTitle } from '../../lib/conversations/conversation-title.ts'
import { useSendUpdate } from '../../lib/actions/use-send-update.ts'

/** Moves a conversation to a project, or out of its project. */
export function MoveConversationDialog({
  conversation,
  open,
  onClose,
  findFocusTarget,
}: {
  conversation: Session
  open: boolean
  onClose: () => void
  findFocusTarget: () => HTMLElement | null
}) {
  const queryClient = useQueryClient()
  const sendUpdate = useSendUpdate()
  const showToast = useUserToast()
  const { data: projects, refetch, error } = useQuery(projectsQuery)
  const currentProjectId = projects?.some(({ id }) => id === conversation.project_id)
    ? conversation.project_id
    : undefined
  const [chosenId, setChosenId] = useState<string>()
  const projectId = chosenId ?? currentProjectId ?? ''

  const move = async () => {
    const body = { project_id: projectId || null }
    const { session } = await sendUpdate(conversation.id, body).catch((failure: unknown) => {
      // the project may have been deleted meanwhile
      void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
      throw failure
    })
    createConversationCache(queryClient).move(session)
    broadcastListChange(session.id)
    const name = projects?.find(({ id }) => id === projectId)?.name
    showToast(
      'success',
      name === undefined ? t`Moved out of its project` : t`Moved to ${{ projectName: name }}`,
    )
  }

  const description = (
    <span className="block truncate" dir="auto" title={formatConversationTitle(conversation.title)}>
      {formatConversationTitle(conversation.title)}
    </span>
  )
  const dialogProps = { open, findFocusTarget, title: t`Move to project`, description }
  if (projects?.length === 0)
    return (
      <Dialog
        {...dialogProps}
        onOpenChange={onClose}
        footer={
          <Button variant="primary" onClick={onClose}>
            {t`Close`}
          </Button>
        }
      >
        <p className="text-ink-muted">{t`You have no projects yet. Create one with “New project” above the conversations.`}</p>
      </Dialog>
    )
  return (
    <ActionDialog
      {...dialogProps}
      onClose={onClose}
      confirmLabel={t`Move`}
      disabled={!projects || projectId === (currentProjectId ?? '')}
      onConfirm={move}
    >
      {error && !projects ? (
        <Callout
          variant="danger"
          error={error}
          action={{ label: t`Try again`, onClick: () => void refetch() }}
        >
          {t`Your projects could not be loaded.`} {getErrorMessage(error)}
        </Callout>
      ) : (
        <SelectField
          label={t`Project`}
          value={projectId}
          options={[
            { value: '', label: t`No project` },
            ...(projects ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          hint={t`Instructions and files of the project apply from the next message on.`}
          onChange={setChosenId}
        />
      )}
    </ActionDialog>
  )
}
