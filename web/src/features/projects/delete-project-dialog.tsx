import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Project } from '#shared/contracts/projects.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { RadioList } from '../../components/ui/radio-list.tsx'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { useDeleteProject, type ConversationsChoice } from './use-delete-project.ts'

const choices = [
  { value: 'keep', label: t`Keep them, without a project` },
  { value: 'delete', label: t`Delete them too` },
] as const satisfies { value: ConversationsChoice; label: string }[]

/** Deletes a project, and asks what becomes of its conversations. */
export function DeleteProjectDialog({
  project: { id, name },
  onClose,
}: {
  project: Pick<Project, 'id' | 'name'>
  onClose: () => void
}) {
  const { deleteProject, showDeleted } = useDeleteProject(id)
  const [choice, setChoice] = useState<ConversationsChoice>('keep')
  const { data: published } = useQuery({
    ...assistantsQuery,
    select: ({ assistants }) => assistants.find(({ project_id }) => project_id === id)?.name,
  })

  return (
    <ActionDialog
      open
      onClose={onClose}
      title={t`Delete “${{ projectName: name }}”?`}
      confirmLabel={t`Delete project`}
      isDestructive
      actionKey={`delete project ${id}`}
      onConfirm={() => deleteProject(choice)}
      onDone={() => void showDeleted()}
    >
      <p className="text-ink-muted">{t`Its instructions and saved prompts are deleted, and files that nothing else uses. This cannot be undone.`}</p>
      {published !== undefined && (
        <p>{t`Its assistant “${{ assistant: published }}” is withdrawn: conversations with it go on without it.`}</p>
      )}
      <p className="-mb-3 font-medium">{t`What becomes of its conversations?`}</p>
      <RadioList
        label={t`What becomes of its conversations?`}
        value={choice}
        options={choices}
        onChange={setChoice}
      />
    </ActionDialog>
  )
}
