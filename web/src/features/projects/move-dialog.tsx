import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { SelectField } from '../../components/ui/select-field.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { broadcastConversationChange } from '../../lib/conversation-broadcast.ts'
import { conversationCache } from '../../lib/conversation-cache.ts'
import { projectsQuery } from '../../lib/projects.ts'
import * as panelTexts from './panel-texts.ts'
import * as texts from './texts.ts'
import * as commonTexts from '../../components/texts.ts'

/** Moves a conversation to a project, or out of its project. */
export function MoveDialog({
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
  const { data: projects, refetch, error } = useQuery(projectsQuery)
  const known = projects?.some(({ id }) => id === conversation.project_id)
    ? conversation.project_id
    : undefined
  const [chosenId, setChosenId] = useState<string>()
  const projectId = chosenId ?? known ?? ''

  const move = async () => {
    const { session } = await callApi('sessions.update', {
      params: { sessionId: conversation.id },
      body: { project_id: projectId || null },
    }).catch((error: unknown) => {
      void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
      throw error
    })
    conversationCache(queryClient).move(session)
    broadcastConversationChange(session.id)
    const name = projects?.find(({ id }) => id === projectId)?.name
    showToast('success', name === undefined ? texts.movedOut : panelTexts.movedTo(name))
  }

  const description = (
    <span className="block truncate" title={conversation.title}>
      <bdi>{conversation.title}</bdi>
    </span>
  )
  const dialogProps = { open, findFocusTarget, title: texts.moveTitle, description }
  if (projects?.length === 0)
    return (
      <Dialog
        {...dialogProps}
        onOpenChange={onClose}
        footer={
          <Button variant="primary" onClick={onClose}>
            {commonTexts.close}
          </Button>
        }
      >
        <p className="text-ink-muted">{texts.noProjectsYet}</p>
      </Dialog>
    )
  return (
    <ActionDialog
      {...dialogProps}
      onClose={onClose}
      confirmLabel={texts.move}
      disabled={!projects || projectId === (known ?? '')}
      onConfirm={move}
    >
      {error && !projects ? (
        <Callout variant="danger" action={{ label: commonTexts.tryAgain, onClick: () => void refetch() }}>
          {texts.listNotLoaded} {errorMessage(error)}
        </Callout>
      ) : (
        <SelectField
          label={texts.project}
          value={projectId}
          options={[
            { value: '', label: texts.noProject },
            ...(projects ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          hint={texts.moveHint}
          onChange={setChosenId}
        />
      )}
    </ActionDialog>
  )
}
