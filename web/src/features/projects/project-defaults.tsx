import { t } from '@lingui/core/macro'
import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import type { Project } from '#shared/contracts/projects.ts'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { ModelAndEffortFields } from '../../components/model-and-effort-fields.tsx'
import { useActionMutation } from '../../components/use-action.ts'
import { useConfig } from '../../lib/api/config.ts'
import { projectsQuery, updateProject } from '../../lib/queries/project-queries.ts'
import { ToolPickerContext } from '../../lib/conversations/tool-picker-context.ts'
import { Pane } from './pane.tsx'

type Choice = Pick<RouteRequest<'projects.update'>, 'model' | 'effort' | 'disabled_tools'>

/** The model and tools that new conversations of a project begin with. A choice saves itself. */
export function ProjectDefaults({ project }: { project: Project }) {
  const queryClient = useQueryClient()
  const models = useConfig()?.models ?? []
  const renderToolPicker = use(ToolPickerContext)
  // people choose faster than each choice is saved
  const [pending, setPending] = useState<readonly Choice[]>([])
  const defaults: Choice = Object.assign({}, project, ...pending)
  const { model, effort, disabled_tools: disabledTools = [] } = defaults
  const forget = (choice: Choice) => setPending((before) => before.filter((each) => each !== choice))
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
      notify('error', t`The project could not be saved`, { error })
    },
  })
  const choose = (choice: Choice) => {
    setPending((before) => [...before, choice])
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
        {renderToolPicker && (
          <div className="-ms-2">
            {renderToolPicker({
              disabledTools,
              onChange: (next) => choose({ disabled_tools: next }),
            })}
          </div>
        )}
      </div>
    </Pane>
  )
}
