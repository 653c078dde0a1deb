import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type SubmitEvent } from 'react'
import { useNavigate } from 'react-router'
import { maxProjectNameCharacters } from '#shared/limits.ts'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { errorMessage } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { projectPath, projectQuery, projectsQuery } from '../../lib/projects.ts'
import * as texts from './texts.ts'
import * as commonTexts from '../../components/texts.ts'

/** Asks for the name of a new project, and opens its page. */
export function NewProjectDialog({ onClose, onCreated }: { onClose: () => void; onCreated: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const formId = useId()
  // pressing the button again after a lost response creates no second one
  const [id] = useState(() => crypto.randomUUID())
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // after the dialog has focused its first button
    const frame = requestAnimationFrame(() => input.current?.focus())
    return () => cancelAnimationFrame(frame)
  }, [])

  const create = async (event: SubmitEvent) => {
    event.preventDefault()
    if (busy) return
    if (name.trim() === '') return setProblem(texts.nameMissing)
    setBusy(true)
    setProblem(undefined)
    try {
      const { project } = await callApi('projects.create', { body: { id, name } })
      queryClient.setQueryData(projectQuery(id).queryKey, project)
      void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
      onClose()
      onCreated()
      void navigate(projectPath(project.id))
    } catch (error) {
      setProblem(errorMessage(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open && !busy) onClose()
      }}
      title={texts.newProject}
      description={texts.newProjectHint}
      footer={
        <>
          <Button variant="ghost" disabled={busy} onClick={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={busy}>
            {texts.create}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void create(event)}>
        <TextField
          ref={input}
          label={texts.name}
          value={name}
          maxLength={maxProjectNameCharacters}
          placeholder={texts.namePlaceholder}
          dir="auto"
          autoComplete="off"
          error={problem}
          onChange={({ target: { value } }) => setName(value)}
        />
      </form>
    </Dialog>
  )
}
