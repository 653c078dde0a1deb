import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { maxProjectNameCharacters } from '#shared/limits.ts'
import { ActionDialog, InvalidForm } from '../../components/action-dialog.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { callApi } from '../../lib/api/call-api.ts'
import { projectQuery, projectsQuery, updateProject } from '../../lib/queries/project-queries.ts'
import { useFormCheck } from '../../components/use-form-check.ts'
import { useResultNavigation, usePageOffer, type OpenResult } from '../../components/use-result-navigation.ts'
import { useInput } from '../../lib/input/use-input.ts'
import { projectPath } from '../../lib/navigation/paths.ts'

/** Asks for the name of a new project, and opens its page. */
export function NewProjectDialog({ onClose, onCreated }: { onClose: () => void; onCreated: () => void }) {
  const queryClient = useQueryClient()
  const createOpenResult = useResultNavigation()
  const offer = usePageOffer()
  const openResult = useRef<OpenResult>(undefined)
  // of the project: pressing the button again after a lost response creates no second one
  const [id] = useState(() => crypto.randomUUID())
  const input = useInput('project/new')
  const name = input.value
  const { problems, check } = useFormCheck({
    name: name.trim() === '' ? t`Please enter a name.` : undefined,
  })
  const [isCreated, setIsCreated] = useState(false)

  const path = projectPath(id)
  const readyTitle = t`“${{ name: name.trim() }}” is ready`
  const create = async () => {
    if (!check()) throw new InvalidForm()
    openResult.current = createOpenResult()
    const { project } = await callApi('projects.create', { body: { id, name } })
    queryClient.setQueryData(projectQuery(id).queryKey, project)
    setIsCreated(true)
    // an earlier press may have created it under another name: its response was lost, or more was typed since
    if (project.name !== name.trim()) await updateProject(queryClient, id, { name })
    void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
    input.markSaved('')
    // text that was typed meanwhile keeps the dialog open, so that it does not lead to the page
    if (input.isDirty) offer(path, readyTitle)
  }

  return (
    <ActionDialog
      open
      onClose={onClose}
      inputs={[input]}
      title={isCreated ? t`Rename` : t`New project`}
      description={t`A place for one topic: its conversations share instructions, files and a choice of model and tools.`}
      confirmLabel={isCreated ? t`Rename` : t`Create project`}
      actionKey="new project"
      onConfirm={create}
      onDone={() => {
        onClose()
        onCreated()
        openResult.current?.(path, readyTitle)
      }}
    >
      <TextField
        label={t`Name`}
        input={input}
        maxLength={maxProjectNameCharacters}
        placeholder={t`Thesis, move to Lyon, client work…`}
        dir="auto"
        autoComplete="off"
        error={problems.name}
      />
    </ActionDialog>
  )
}
