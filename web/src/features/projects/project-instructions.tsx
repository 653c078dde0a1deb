import { t } from '@lingui/core/macro'
import { Pencil } from 'lucide-react'
import type { Project } from '#shared/contracts/projects.ts'
import { maxProjectInstructionCharacters } from '#shared/limits.ts'
import { ChangedElsewhere } from '../../components/changed-elsewhere.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { inputClass } from '../../components/ui/field.tsx'
import { revealHiddenCharacters } from '../../lib/text/hidden-characters.ts'
import { bind } from '../../lib/input/text-input.ts'
import { Pane } from './pane.tsx'
import { SaveButtons } from './save-buttons.tsx'
import { useProjectField } from './use-project-field.ts'

/** The instructions of a project, which are edited where they stand. */
export function ProjectInstructions({ project }: { project: Project }) {
  const { input, field, opener, isBusy, open, save } = useProjectField<HTMLTextAreaElement>(
    project,
    'instructions',
  )
  return (
    <Pane
      title={t`Instructions`}
      action={
        !input.isOpen && (
          <Button
            ref={opener}
            variant="ghost"
            size="sm"
            className="-me-2.5"
            aria-label={t`Edit the instructions`}
            onClick={open}
          >
            <Pencil aria-hidden size={16} />
            {t`Edit`}
          </Button>
        )
      }
    >
      {project.copied_from !== undefined && (
        <div className="mb-2">
          <Callout variant="info">
            {t`These instructions come from “${{ name: revealHiddenCharacters(project.copied_from) }}”, an assistant of somebody else. Until you have read and saved them, chats here send and change nothing without asking you.`}
          </Callout>
        </div>
      )}
      {input.isOpen ? (
        <form
          className="grid gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            save()
          }}
        >
          <textarea
            {...bind(input)}
            ref={field}
            aria-label={t`Instructions`}
            dir="auto"
            rows={6}
            maxLength={maxProjectInstructionCharacters}
            placeholder={t`What they are about, and how replies should be`}
            className={`${inputClass} resize-y py-2.5`}
          />
          <ChangedElsewhere newer={input.newer} onUse={input.reset} />
          <SaveButtons hint={t`Applies to new messages`} isBusy={isBusy} onCancel={input.reset} />
        </form>
      ) : (
        <p
          dir={project.instructions === '' ? undefined : 'auto'}
          className="line-clamp-6 text-ink-muted [overflow-wrap:anywhere] whitespace-pre-wrap"
        >
          {project.instructions || t`None yet. They apply to every conversation here.`}
        </p>
      )}
    </Pane>
  )
}
