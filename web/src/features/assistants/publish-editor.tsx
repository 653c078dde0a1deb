import { t, plural } from '@lingui/core/macro'
import { useRef, useId } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from '../../lib/navigation/router.tsx'
import type { Assistant } from '#shared/contracts/assistants.ts'
import type { Project, SavedPrompt } from '#shared/contracts/projects.ts'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { DocumentFlag } from '../../components/ui/document-flag.tsx'
import { getActionErrorMessage } from '../../lib/api/action-error.ts'
import { useInput, type Input } from '../../lib/input/use-input.ts'
import { AudienceFields } from './audience-fields.tsx'
import {
  findShownPicture,
  hasAudience,
  toPublishForm,
  type PublishForm,
  listTextFiles,
  toPublishRequest,
} from './publish-form.ts'
import { PublishPreview } from './publish-preview.tsx'
import { projectPath, assistantPath } from '../../lib/navigation/paths.ts'
import {
  maxAssistantDescriptionCharacters,
  maxAssistantNewsCharacters,
  maxProjectNameCharacters,
  maxStarterCharacters,
  maxStarters,
} from '#shared/limits.ts'
import { NameTile } from '../../components/name-tile.tsx'
import { Card } from '../../components/ui/card.tsx'
import { TextAreaField, TextField, inputClass } from '../../components/ui/field.tsx'
import { PictureButtons } from './picture-buttons.tsx'
import { Plus, X } from 'lucide-react'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { bind } from '../../lib/input/text-input.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useActionMutation } from '../../components/use-action.ts'
import { usePageOffer } from '../../components/use-result-navigation.ts'
import { useFormCheck } from '../../components/use-form-check.ts'
import { useUserToast } from '../../components/use-user-toast.ts'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { publishTimeoutMs } from '../../lib/browser/limits.ts'
import { formatList } from '../../lib/text/locale.ts'
import { watchPresence } from '../../lib/input/presence.ts'
import { projectQuery } from '../../lib/queries/project-queries.ts'

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
  const { element, problems, check } = useFormCheck(
    {
      name: input.value.name.trim() === '' ? t`Please enter a name.` : undefined,
      audience: hasAudience(input.value) ? undefined : t`Please choose a group, or everyone.`,
    },
    // the choice of groups is no field that could be invalid
    '[aria-invalid], [name=audience]:checked',
  )
  const { isBusy, error, publish } = usePublish(project, (published) =>
    toPublishForm(project, { before: published, prompts, groups }),
  )
  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (check()) publish(input)
      }}
    >
      <div className="grid grid-cols-[minmax(0,1fr)_21rem] items-start gap-x-8 gap-y-6 max-lg:grid-cols-1">
        <div className="grid gap-4">
          <AppearanceFields input={input} before={before} nameProblem={problems.name} />
          <AudienceFields input={input} groups={groups} problem={problems.audience} />
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

interface FieldsProps {
  input: Input<PublishForm>
}

/** Name, picture, description and starters. @param before the version that is published now */
function AppearanceFields({
  input,
  before,
  nameProblem,
}: FieldsProps & { before: Pick<Assistant, 'picture'> | undefined; nameProblem: string | undefined }) {
  const { name } = input.value
  return (
    <Card as="section" className="grid gap-5 p-6 max-sm:p-4">
      <div className="flex items-center gap-4">
        <NameTile name={name} picture={findShownPicture(input.value, before)} size="lg" />
        <PictureButtons input={input} before={before} />
      </div>
      <TextField
        label={t`Name`}
        input={input.at('name')}
        maxLength={maxProjectNameCharacters}
        dir="auto"
        autoComplete="off"
        error={nameProblem}
      />
      <TextAreaField
        label={t`What is it for?`}
        input={input.at('description')}
        rows={2}
        maxLength={maxAssistantDescriptionCharacters}
      />
      <StarterFields input={input} />
    </Card>
  )
}

/** What conversations that go on with the new version say of it. */
function NewsField({ input, version }: FieldsProps & { version: number }) {
  return (
    <Card as="section" className="p-6 max-sm:p-4">
      <TextField
        label={t`What is new in version ${{ version }}?`}
        input={input.at('news')}
        maxLength={maxAssistantNewsCharacters}
        dir="auto"
        autoComplete="off"
        hint={t`Shown once in conversations that go on with the new version.`}
      />
    </Card>
  )
}

/** The texts that a new conversation offers. Each has its field. */
function StarterFields({ input }: { input: Input<PublishForm> }) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const { starters } = input.value
  const setStarters = (next: readonly string[]) => input.change({ ...input.value, starters: next })
  return (
    <div role="group" aria-labelledby={id} ref={list} className="grid gap-2">
      <p id={id} className="flex items-baseline justify-between font-medium">
        {t`Starters`}
        <span className="text-sm font-normal text-ink-faint">
          {t`${{ count: starters.length }} of ${{ max: maxStarters }}`}
        </span>
      </p>
      {starters.map((_, index) => (
        <div key={index} className="flex items-center gap-2">
          <input
            {...bind(
              input.part(
                (form) => form.starters[index] ?? '',
                (form, text) => ({
                  ...form,
                  starters: form.starters.map((each, at) => (at === index ? text : each)),
                }),
              ),
            )}
            aria-label={t`Starter ${{ number: index + 1 }}`}
            maxLength={maxStarterCharacters}
            dir="auto"
            autoComplete="off"
            className={`${inputClass} h-11 min-w-0 flex-1`}
          />
          <IconButton
            label={t`Remove starter ${{ number: index + 1 }}`}
            tooltip={false}
            icon={<X size={18} strokeWidth={1.75} />}
            onClick={() => {
              // the button is gone after this, and the focus with it
              flushSync(() => setStarters(starters.filter((_each, at) => at !== index)))
              addButton.current?.focus()
            }}
          />
        </div>
      ))}
      {starters.length < maxStarters && (
        <Button
          ref={addButton}
          variant="ghost"
          size="sm"
          className="-ms-3 justify-self-start"
          onClick={() => {
            // rendered at once, so that its field can take the focus
            flushSync(() => setStarters([...starters, '']))
            ;[...(list.current?.querySelectorAll('input') ?? [])].at(-1)?.focus()
          }}
        >
          <Plus aria-hidden size={16} />
          {t`Add a starter`}
        </Button>
      )}
    </div>
  )
}

interface Sent {
  /** the input of the render whose value is sent */
  input: Input<PublishForm>
  /** the files that the preview has promised */
  promised: Project['files']
  /** whether the user has stayed on the page since */
  isHere: () => boolean
}

/**
 * Publishes a project, and leads to its assistant; by a toast, if the user has left the page meanwhile.
 * @param toStored what the form begins with after an assistant was published
 */
function usePublish(project: Project, toStored: (published: Assistant) => PublishForm) {
  const { id } = project
  const navigate = useNavigate()
  const offer = usePageOffer()
  const showToast = useUserToast()
  const queryClient = useQueryClient()
  const { isBusy, error, start } = useActionMutation(`publish ${id}`, {
    run: async ({ input, promised }: Sent) => {
      const { assistant, file_ids: published } = await callApi(
        'assistants.publish',
        { params: { projectId: id }, body: toPublishRequest(input.value) },
        { timeoutMs: publishTimeoutMs },
      )
      return { assistant, missing: promised.filter((file) => !published.includes(file.id)) }
    },
    onSuccess: async ({ assistant, missing }, { input, isHere }) => {
      await queryClient.invalidateQueries({ queryKey: assistantsQuery.queryKey })
      // what was typed while it was published stays
      input.markSaved(toStored(assistant))
      const path = assistantPath(assistant.id)
      if (missing.length > 0) {
        void queryClient.invalidateQueries({ queryKey: projectQuery(id).queryKey })
        showToast('info', describeMissing(missing.length), {
          description: describeNames(missing.map(({ name }) => name)),
          durationMs: missingToastMs,
        })
      }
      const title = t`Version ${{ version: assistant.version }} is published`
      if (!isHere()) return offer(path, title)
      showToast('success', title)
      navigate(path)
    },
    // published or withdrawn elsewhere: the next version has another number
    onError: () => void queryClient.invalidateQueries({ queryKey: assistantsQuery.queryKey }),
    failureTitle: t`The project could not be published`,
  })
  return {
    isBusy,
    error,
    publish: (input: Input<PublishForm>) =>
      start({ input, promised: listTextFiles(project), isHere: watchPresence() }),
  }
}

/** Long enough to read a list of names. */
const missingToastMs = 30_000
/** More names would fill the screen of a phone. */
const maxNames = 10

const describeMissing = (count: number) =>
  plural(count, {
    one: '# file is not in the published version',
    other: '# files are not in the published version',
  })

/** Which files of the preview are not in the published version, and why. */
function describeNames(names: readonly string[]): string {
  const shown = formatList([...names.slice(0, maxNames), ...(names.length > maxNames ? ['…'] : [])])
  return t`Deleted or removed from the project meanwhile, or without text: ${{ names: shown }}`
}
