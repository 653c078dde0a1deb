import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from '../../lib/navigation/router.tsx'
import type { Assistant } from '#shared/contracts/assistants.ts'
import type { Project, SavedPrompt } from '#shared/contracts/projects.ts'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { DocumentFlag } from '../../components/ui/document-flag.tsx'
import { getActionErrorMessage } from '../../lib/api/action-error.ts'
import { useInput } from '../../lib/input/use-input.ts'
import { AudienceFields } from './audience-fields.tsx'
import { AppearanceFields, NewsField } from './publish-fields.tsx'
import { findShownPicture, hasAudience, toPublishForm } from './publish-form.ts'
import { PublishPreview } from './publish-preview.tsx'
import { usePublish } from './use-publish.ts'
import { projectPath } from '../../lib/navigation/paths.ts'

/** An integration that the publisher has connected. */
export interface Connected {
  id: string
  name: string
}

/** The form with which a project is published, with a preview. */
export function PublishEditor({
  project,
  before,
  prompts,
  groups,
  connected,
}: {
  project: Project
  /** the version that is published now */
  before: Assistant | undefined
  prompts: readonly SavedPrompt[]
  /** those that the publisher may choose */
  groups: readonly string[]
  connected: readonly Connected[] | undefined
}) {
  const version = (before?.version ?? 0) + 1
  const input = useInput(`publish/${project.id}`, {
    stored: toPublishForm(project, { before, prompts, groups }),
    onLeave: 'keep',
  })
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [isValidated, setIsValidated] = useState(false)
  const { isBusy, error, publish } = usePublish(project, (published) =>
    toPublishForm(project, { before: published, prompts, groups }),
  )
  const submit = () => {
    // rendered at once, so that the fields that are wrong have their `aria-invalid`
    flushSync(() => setIsValidated(true))
    const isComplete = input.value.name.trim() !== '' && hasAudience(input.value)
    if (isComplete) publish(input)
    // the choice of groups is no field that could be invalid
    else form.current?.querySelector<HTMLElement>('[aria-invalid], [name=audience]:checked')?.focus()
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="grid grid-cols-[minmax(0,1fr)_21rem] items-start gap-x-8 gap-y-6 max-lg:grid-cols-1">
        <div className="grid gap-4">
          <AppearanceFields input={input} before={before} isValidated={isValidated} />
          <AudienceFields
            input={input}
            groups={groups}
            problem={
              isValidated && !hasAudience(input.value) ? t`Please choose a group, or everyone.` : undefined
            }
          />
          {before && <NewsField input={input} version={version} />}
        </div>
        <PublishPreview
          form={input.value}
          picture={findShownPicture(input.value, before)}
          project={project}
          version={version}
          toolNames={connected && listToolNames(connected, project)}
          promptCount={prompts.filter(({ project_id }) => project_id === project.id).length}
        />
      </div>
      {error && (
        <div className="mt-4">
          <Callout variant="danger" error={error}>
            {getActionErrorMessage(error)}
          </Callout>
        </div>
      )}
      <div className="sticky bottom-0 mt-6 flex items-center justify-end gap-2 border-t border-line bg-surface py-4">
        <DocumentFlag name="form-bar" />
        <Button
          variant="ghost"
          // while it is being published, the input stays: that may fail
          disabled={isBusy}
          onClick={() => {
            input.reset()
            navigate(projectPath(project.id))
          }}
        >
          {t`Cancel`}
        </Button>
        <Button variant="primary" type="submit" busy={isBusy}>
          {t`Publish version ${{ version }}`}
        </Button>
      </div>
    </form>
  )
}

/** The names of the connected integrations that are not turned off in the project. */
function listToolNames(
  connected: readonly Connected[],
  { disabled_tools: disabled = [] }: Project,
): string[] {
  return connected
    .filter(({ id }) => !disabled.some(({ mcp_id, tool }) => mcp_id === id && tool === undefined))
    .map(({ name }) => name)
}
