import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { SavedPrompt } from '#shared/contracts/projects.ts'
import { maxProjectNameCharacters, maxPromptCharacters } from '#shared/limits.ts'
import { hasErrorCode } from '../lib/api/has-error-code.ts'
import { callApi } from '../lib/api/call-api.ts'
import { useInput } from '../lib/input/use-input.ts'
import { ActionDialog, InvalidForm } from './action-dialog.tsx'
import { TextAreaField, TextField } from './ui/field.tsx'
import { useFormCheck } from './use-form-check.ts'

/** Adds or edits a saved prompt. */
export function PromptDialog({
  prompt,
  projectId,
  onClose,
  onSaved,
}: {
  /** empty for a new one */
  prompt: Partial<SavedPrompt>
  projectId: string | undefined
  onClose: () => void
  onSaved: () => void
}) {
  // pressing the button again after a lost response creates no second one
  const [newId] = useState(() => crypto.randomUUID())
  /** as this dialog has saved it: text that was typed meanwhile keeps the dialog open */
  const [saved, setSaved] = useState(prompt)
  const key = `prompt/${prompt.id ?? `new/${projectId ?? ''}`}`
  const input = useInput(key, {
    stored: { name: saved.name ?? '', text: saved.text ?? '' },
  })
  const { name, text } = input.value
  const { problems, check } = useFormCheck({
    name: name.trim() === '' ? t`Please enter a name.` : undefined,
    text: text.trim() === '' ? t`Please enter the text.` : undefined,
  })

  const save = async () => {
    if (!check()) throw new InvalidForm()
    setSaved({ id: await store(), name, text })
    input.markSaved({ name, text })
    onSaved()
  }
  /** @returns the id of the prompt */
  const store = async () => {
    try {
      if (saved.id !== undefined) {
        await callApi('prompts.update', { params: { promptId: saved.id }, body: { name, text } })
        return saved.id
      }
    } catch (error) {
      // deleted elsewhere: what was written here is kept
      if (!hasErrorCode(error, 'prompt_not_found')) throw error
    }
    await callApi('prompts.create', { body: { id: newId, name, text, project_id: projectId } })
    return newId
  }

  return (
    <ActionDialog
      open
      onClose={onClose}
      inputs={[input]}
      title={prompt.id === undefined ? t`New prompt` : t`Edit prompt`}
      confirmLabel={t`Save`}
      actionKey={`save ${key}`}
      onConfirm={save}
    >
      <TextField
        label={t`Name`}
        input={input.at('name')}
        maxLength={maxProjectNameCharacters}
        dir="auto"
        autoComplete="off"
        error={problems.name}
      />
      <TextAreaField
        label={t`Text`}
        hint={t`What is put into the message. You can change it before you send it.`}
        error={problems.text}
        rows={5}
        input={input.at('text')}
        maxLength={maxPromptCharacters}
      />
    </ActionDialog>
  )
}
