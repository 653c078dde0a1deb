import { t } from '@lingui/core/macro'
import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import type { Project } from '#shared/contracts/projects.ts'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { ModelAndEffortFields } from '../../components/model-and-effort-fields.tsx'
import { useActionMutation } from '../../components/use-action.ts'
import { getErrorMessage } from '../../lib/api-errors.ts'
import { useConfig } from '../../lib/config.ts'
import { projectsQuery, updateProject } from '../../lib/project-queries.ts'
import { ToolPickerContext } from '../../lib/tool-picker-context.ts'
import { Pane } from './pane.tsx'

type Choice = Pick<RouteRequest<'projects.update'>, 'model' | 'effort' | 'disabled_tools'>

/** The pending choices without one that was saved or has failed. A later choice for the same setting stays. */
const withoutChoice = (chosen: Choice, choice: Choice): Choice =>
  Object.fromEntries(Object.entries(chosen).filter(([name, value]) => choice[name as keyof Choice] !== value))

/** The model and tools that new conversations of a project begin with. A choice saves itself. */
export function ProjectDefaults({ project }: { project: Project }) {
  const queryClient = useQueryClient()
  const models = useConfig()?.models ?? []
  const renderToolPicker = use(ToolPickerContext)
  // pending choices: people choose faster than each is saved
  const [chosen, setChosen] = useState<Choice>({})
  const { model, effort, disabled_tools: disabledTools = [] } = { ...project, ...chosen }
  const forget = (choice: Choice) => setChosen((before) => withoutChoice(before, choice))
  const save = useActionMutation(`choose for ${project.id}`, {
    isQueued: true,
    run: (choice: Choice) => updateProject(queryClient, project.id, choice),
    onSuccess: (_, choice) => {
      // scheduled behind the update of the cache: else the earlier value would show for a moment
      notifyManager.schedule(() => forget(choice))
      void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
    },
    onError: (error, choice, { notify }) => {
      forget(choice)
      notify('error', t`The project could not be saved`, { description: getErrorMessage(error) })
    },
  })
  const choose = (choice: Choice) => {
    setChosen((before) => ({ ...before, ...choice }))
    save.start(choice)
  }
  if (models.length === 0 && !renderToolPicker) return null
  return (
    <Pane title={t`New conversations`} hint={t`Each conversation can change them.`}>
      <div className="mt-3 grid gap-4">
        {models.length > 0 && (
          <ModelAndEffortFields
            models={models}
            model={model ?? ''}
            effort={effort ?? ''}
            defaultLabel={t`The one I used last`}
            onModelChange={(next) => choose({ model: next || null, effort: null })}
            onEffortChange={(next) => choose({ effort: next || null })}
          />
        )}
        <div className="-ms-2">
          {renderToolPicker?.({
            disabledTools,
            onChange: (next) => choose({ disabled_tools: next }),
          })}
        </div>
      </div>
    </Pane>
  )
}
