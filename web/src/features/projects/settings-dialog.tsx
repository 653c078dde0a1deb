import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import type { DisabledTool } from '#shared/contracts/chat.ts'
import type { Project } from '#shared/contracts/projects.ts'
import { maxProjectInstructionCharacters, maxProjectNameCharacters } from '#shared/limits.ts'
import { ActionDialog, InvalidForm } from '../../components/action-dialog.tsx'
import { ChangedElsewhere } from '../../components/changed-elsewhere.tsx'
import { TextAreaField, TextField } from '../../components/ui/field.tsx'
import { SelectField } from '../../components/ui/select-field.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError } from '../../lib/api-errors.ts'
import { useConfig } from '../../lib/config.ts'
import { projectQuery, projectsQuery, updateProject } from '../../lib/projects.ts'
import { ToolPickerContext } from '../../lib/tool-picker-context.ts'
import { DeleteProjectDialog } from './delete-dialog.tsx'
import { useInput } from '../../lib/use-input.ts'

/** Name, instructions and defaults of a project, and its deletion. */
export function SettingsDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const queryClient = useQueryClient()
  const models = useConfig()?.models ?? []
  const renderToolPicker = use(ToolPickerContext)
  const [isDeleting, setIsDeleting] = useState(false)
  // deleting loses what was typed, as its dialog says
  const onLeave = isDeleting ? 'keep' : 'ask'
  const name = useInput(`project/${project.id}/name`, { stored: project.name, onLeave })
  const instructions = useInput(`project/${project.id}/instructions`, {
    stored: project.instructions,
    onLeave,
  })
  // what was chosen here; the rest stays as it is stored, also when it is changed elsewhere
  const [choice, setChoice] = useState<{ model: string; effort: string }>()
  const [chosenTools, setChosenTools] = useState<readonly DisabledTool[]>()
  const [isValidated, setIsValidated] = useState(false)
  const { model, effort } = choice ?? { model: project.model ?? '', effort: project.effort ?? '' }
  const isChanged = choice !== undefined || chosenTools !== undefined
  const isDirty = name.isDirty || instructions.isDirty || isChanged
  const efforts = models.find(({ id }) => id === model)?.efforts ?? []

  const save = async () => {
    if (!isDirty) return
    setIsValidated(true)
    if (name.value.trim() === '') throw new InvalidForm()
    const { queryKey } = projectQuery(project.id)
    const changed = await updateProject(queryClient, project.id, {
      ...(name.isDirty && { name: name.value, name_seen: project.name }),
      ...(instructions.isDirty && {
        instructions: instructions.value,
        instructions_seen: project.instructions,
      }),
      ...(choice && { model: model || null, effort: effort || null }),
      ...(chosenTools && { disabled_tools: [...chosenTools] }),
    }).catch(async (error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'changed_elsewhere')) throw error
      // the newer text is shown beside what was typed
      await queryClient.invalidateQueries({ queryKey })
      throw new InvalidForm()
    })
    void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
    name.saved(changed.name)
    instructions.saved(changed.instructions)
    showToast('success', t`Project saved`)
  }

  return (
    <>
      <ActionDialog
        open
        wide
        onClose={onClose}
        inputs={isDeleting ? [] : [name, instructions]}
        isChanged={isChanged && !isDeleting}
        title={t`Project settings`}
        confirmLabel={t`Save`}
        otherAction={{ label: t`Delete project`, onClick: () => setIsDeleting(true) }}
        onConfirm={save}
      >
        <div className="grid gap-2">
          <TextField
            label={t`Name`}
            input={name}
            maxLength={maxProjectNameCharacters}
            dir="auto"
            autoComplete="off"
            error={isValidated && name.value.trim() === '' ? t`Please enter a name.` : undefined}
          />
          <ChangedElsewhere newer={name.newer} onUse={name.reset} />
        </div>
        <div className="grid gap-2">
          <TextAreaField
            label={t`Instructions for all its conversations`}
            hint={t`They apply from the next message on, after your own instructions of the settings.`}
            rows={6}
            input={instructions}
            maxLength={maxProjectInstructionCharacters}
            placeholder={t`What they are about, and how replies should be`}
          />
          <ChangedElsewhere newer={instructions.newer} onUse={instructions.reset} />
        </div>
        {models.length > 0 && (
          <div className="grid grid-flow-col auto-cols-fr gap-4 max-sm:grid-flow-row">
            <SelectField
              label={t`Model of new conversations`}
              value={model}
              options={[
                { value: '', label: t`The one I used last` },
                ...models.map(({ id, name: label }) => ({ value: id, label })),
                ...(model === '' || models.some(({ id }) => id === model)
                  ? []
                  : [{ value: model, label: t`${{ modelId: model }} (not offered any more)` }]),
              ]}
              onChange={(next) => setChoice({ model: next, effort: '' })}
            />
            {efforts.length > 0 && (
              <SelectField
                label={t`Effort`}
                value={efforts.includes(effort) ? effort : ''}
                options={[
                  { value: '', label: t`Automatic` },
                  ...efforts.map((value) => ({ value, label: value })),
                ]}
                onChange={(next) => setChoice({ model, effort: next })}
              />
            )}
          </div>
        )}
        {renderToolPicker && (
          <div>
            <p className="font-medium">{t`Tools of new conversations`}</p>
            <p className="mb-1 text-sm text-ink-faint">{t`Each conversation can change them.`}</p>
            {renderToolPicker({
              disabledTools: chosenTools ?? project.disabled_tools ?? [],
              onChange: setChosenTools,
            })}
          </div>
        )}
      </ActionDialog>
      {isDeleting && <DeleteProjectDialog project={project} onClose={() => setIsDeleting(false)} />}
    </>
  )
}
