import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { SelectField } from '../../components/ui/select-field.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { errorMessage } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { broadcastConversationChange } from '../../lib/conversation-broadcast.ts'
import { conversationKey } from '../../lib/conversation-key.ts'
import { upsertConversation } from '../../lib/conversation-list.ts'
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
  const { data: projects, isPending } = useQuery(projectsQuery)
  const known = projects?.some(({ id }) => id === conversation.project_id)
    ? conversation.project_id
    : undefined
  const [chosenId, setChosenId] = useState<string>()
  const projectId = chosenId ?? known ?? ''
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)

  const move = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const { session } = await callApi('sessions.update', {
        params: { sessionId: conversation.id },
        body: { project_id: projectId || null },
      })
      upsertConversation(queryClient, session)
      queryClient.setQueryData(
        conversationKey(session.id),
        (cached: { projectId?: string | null } | undefined) =>
          cached && { ...cached, projectId: session.project_id ?? null },
      )
      broadcastConversationChange(session.id)
      const name = projects?.find(({ id }) => id === projectId)?.name
      showToast('success', name === undefined ? texts.movedOut : panelTexts.movedTo(name))
      onClose()
    } catch (error) {
      setProblem(errorMessage(error))
      void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
    } finally {
      setBusy(false)
    }
  }

  const isEmpty = projects?.length === 0
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next && !busy) onClose()
      }}
      findFocusTarget={findFocusTarget}
      title={texts.moveTitle}
      description={
        <span dir="auto" className="block truncate" title={conversation.title}>
          {conversation.title}
        </span>
      }
      footer={
        <>
          <Button variant="ghost" disabled={busy} onClick={onClose}>
            {isEmpty ? commonTexts.close : commonTexts.cancel}
          </Button>
          {!isEmpty && (
            <Button
              variant="primary"
              busy={busy}
              disabled={isPending || projectId === (known ?? '')}
              onClick={() => void move()}
            >
              {texts.move}
            </Button>
          )}
        </>
      }
    >
      {isEmpty ? (
        <p className="text-ink-muted">{texts.noProjectsYet}</p>
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
      {problem !== undefined && (
        <div className="mt-3">
          <Callout variant="danger">{problem}</Callout>
        </div>
      )}
    </Dialog>
  )
}
