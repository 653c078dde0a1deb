import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Ellipsis, Pencil, Trash2, Upload } from 'lucide-react'
import { useState } from 'react'
import type { Project } from '#shared/contracts/projects.ts'
import { maxProjectNameCharacters } from '#shared/limits.ts'
import { ChangedElsewhere } from '../../components/changed-elsewhere.tsx'
import { buttonClass } from '../../components/ui/button.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../components/ui/menu.tsx'
import { useRight } from '../../lib/account/account-queries.ts'
import { assistantsQuery } from '../../lib/conversations/assistant-queries.ts'
import { publishPath } from '../../lib/navigation/paths.ts'
import { Link } from '../../lib/navigation/router.tsx'
import { DeleteProjectDialog } from './delete-project-dialog.tsx'
import { SaveButtons } from './save-buttons.tsx'
import { useProjectField } from './use-project-field.ts'

/** The name of a project, which is edited in its place, and a menu. */
export function ProjectHeading({ project }: { project: Project }) {
  const [isDeleting, setIsDeleting] = useState(false)
  const name = useProjectField<HTMLInputElement>(project, 'name')
  const { input, field, opener, open } = name
  const mayPublish = useRight('publish')
  // what is published can be withdrawn without the right
  const { data: published } = useQuery({ ...assistantsQuery, enabled: !mayPublish })
  const isPublished = published?.assistants.some(({ project_id }) => project_id === project.id) ?? false
  return (
    <header className="mb-5 flex min-h-11 items-center gap-3 max-sm:mb-4">
      {input.isOpen ? (
        <NameForm {...name} project={project} />
      ) : (
        <h1 className="min-w-0 flex-1 text-lg/6 font-semibold tracking-tight [overflow-wrap:anywhere]">
          <bdi>{project.name}</bdi>
        </h1>
      )}
      {!input.isOpen && (mayPublish || isPublished) && (
        <Link to={publishPath(project.id)} className={buttonClass({ variant: 'ghost', size: 'sm' })}>
          <Upload aria-hidden size={16} />
          {mayPublish ? t`Publish` : t`Published`}
        </Link>
      )}
      <Menu>
        <MenuTrigger asChild>
          <IconButton
            ref={opener}
            label={t`More for ${{ title: project.name }}`}
            tooltip={false}
            icon={<Ellipsis size={20} strokeWidth={1.75} />}
            className={clsx('-me-2', input.isOpen && 'self-start')}
          />
        </MenuTrigger>
        <MenuContent
          onCloseAutoFocus={(event) => {
            // “Rename” has shown the field: the closing menu would take the focus back to its button
            if (!field.current) return
            event.preventDefault()
            field.current.focus()
          }}
        >
          <MenuItem icon={<Pencil aria-hidden size={16} />} onSelect={open}>
            {t`Rename`}
          </MenuItem>
          <MenuItem
            isDestructive
            icon={<Trash2 aria-hidden size={16} />}
            onSelect={() => setIsDeleting(true)}
          >
            {t`Delete project`}
          </MenuItem>
        </MenuContent>
      </Menu>
      {isDeleting && <DeleteProjectDialog project={project} onClose={() => setIsDeleting(false)} />}
    </header>
  )
}

function NameForm({
  project,
  input,
  field,
  isBusy,
  save,
}: Pick<ReturnType<typeof useProjectField<HTMLInputElement>>, 'input' | 'field' | 'isBusy' | 'save'> & {
  project: Project
}) {
  const isMissing = input.value.trim() === ''
  return (
    <form
      noValidate
      className="grid min-w-0 flex-1 gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (isMissing) field.current?.focus()
        else save()
      }}
    >
      <h1 className="sr-only">{project.name}</h1>
      <TextField
        ref={field}
        label={t`Name`}
        input={input}
        maxLength={maxProjectNameCharacters}
        dir="auto"
        autoComplete="off"
        error={isMissing ? t`Please enter a name.` : undefined}
      />
      <ChangedElsewhere newer={input.newer} onUse={input.reset} />
      <SaveButtons isBusy={isBusy} onCancel={input.reset} />
    </form>
  )
}
