import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { isModelAllowed } from '#shared/model-limits.ts'
import { ModelAndEffortFields } from '../../components/model-and-effort-fields.tsx'
import { SelectField } from '../../components/ui/select-field.tsx'
import { accountQuery } from '../../lib/account/account-queries.ts'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { useConfig } from '../../lib/api/config.ts'
import { projectsQuery } from '../../lib/queries/project-queries.ts'
import { scopePrefixes, type ScheduleForm } from '../../components/schedule-fields/schedule-form.ts'

/** The label of a project or assistant that is not in its list: only a list that has loaded tells whether it is gone. */
function describeUnknown(
  { data, isError }: { data?: unknown; isError: boolean },
  texts: { gone: string; failed: string },
): string {
  if (data !== undefined) return texts.gone
  return isError ? texts.failed : t`Loading…`
}

/** The model with which a schedule runs, and the project or assistant of its conversation. */
export function ModelAndScopeFields({
  form: { model, effort, scope },
  conversationScope,
  onChange,
}: {
  form: ScheduleForm
  /** of the conversation of its runs; absent before the first one */
  conversationScope?: string | undefined
  onChange: (change: Partial<ScheduleForm>) => void
}) {
  const { data: account } = useQuery({ ...accountQuery, enabled: false })
  const models = (useConfig()?.models ?? []).filter((each) => isModelAllowed(each, account?.limits ?? {}))
  const projects = useQuery(projectsQuery)
  const assistants = useQuery(assistantsQuery)
  const scopes = [
    ...(projects.data ?? []).map(({ id, name }) => ({
      value: scopePrefixes.project + id,
      label: t`Project: ${{ projectName: name }}`,
    })),
    ...(assistants.data?.assistants ?? []).map(({ id, name }) => ({
      value: scopePrefixes.assistant + id,
      label: t`Assistant: ${{ assistant: name }}`,
    })),
  ]
  const isKnown = scope === '' || scopes.some(({ value }) => value === scope)
  const unknownScopeLabel = scope.startsWith(scopePrefixes.project)
    ? describeUnknown(projects, {
        gone: t`A project that does not exist any more`,
        failed: t`The project could not be loaded.`,
      })
    : describeUnknown(assistants, {
        gone: t`An assistant that is not available any more`,
        failed: t`The assistant could not be loaded.`,
      })
  return (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      {(models.length > 0 || model !== '') && (
        <ModelAndEffortFields
          models={models}
          model={model}
          effort={effort}
          defaultLabel={t`As in a new chat`}
          onModelChange={(next) => onChange({ model: next, effort: '' })}
          onEffortChange={(next) => onChange({ effort: next })}
        />
      )}
      {(scopes.length > 0 || !isKnown) && (
        <SelectField
          label={t`Project or assistant`}
          value={scope}
          options={[
            { value: '', label: t`None` },
            ...scopes,
            ...(isKnown ? [] : [{ value: scope, label: unknownScopeLabel }]),
          ]}
          hint={
            conversationScope !== undefined && conversationScope !== scope
              ? t`The next run begins a new chat.`
              : undefined
          }
          onChange={(next) => onChange({ scope: next })}
        />
      )}
    </div>
  )
}
