import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { maxProjectNameCharacters } from '#shared/limits.ts'
import { ActionDialog, InvalidForm } from '../../components/action-dialog.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { callApi } from '../../lib/call-api.ts'
import { projectPath, projectQuery, projectsQuery } from '../../lib/projects.ts'
import * as texts from './texts.ts'
import { useInput } from '../../lib/use-input.ts'

/** Asks for the name of a new project, and opens its page. */
export function NewProjectDialog({ onClose, onCreated }: { onClose: () => void; onCreated: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  // pressing the button again after a lost response creates no second one
  const [id] = useState(() => crypto.randomUUID())
  const input = useInput('project/new')
  const name = input.value
  const [isValidated, setIsValidated] = useState(false)

  const create = async () => {
    setIsValidated(true)
    if (name.trim() === '') throw new InvalidForm()
    const { project } = await callApi('projects.create', { body: { id, name } })
    queryClient.setQueryData(projectQuery(id).queryKey, project)
    void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
    input.reset()
  }

  return (
    <ActionDialog
      open
      onClose={onClose}
      inputs={[input]}
      title={texts.newProject}
      description={texts.newProjectHint}
      confirmLabel={texts.create}
      onConfirm={create}
      onDone={() => {
        onClose()
        onCreated()
        void navigate(projectPath(id))
      }}
    >
      <TextField
        label={texts.name}
        input={input}
        maxLength={maxProjectNameCharacters}
        placeholder={texts.namePlaceholder}
        dir="auto"
        autoComplete="off"
        error={isValidated && name.trim() === '' ? texts.nameMissing : undefined}
      />
    </ActionDialog>
  )
}
