import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { Project } from '#shared/contracts/projects.ts'
import { useAction } from '../../components/use-action.ts'
import { hasErrorCode } from '../../lib/api/has-error-code.ts'
import { useEscape } from '../../lib/input/escape.ts'
import { projectQuery, projectsQuery, updateProject } from '../../lib/queries/project-queries.ts'
import { isFocusLost } from '../../lib/input/focus-targets.ts'
import { useInput } from '../../lib/input/use-input.ts'

/** The texts of a project that are edited in place. */
type ProjectField = 'name' | 'instructions'

/** The key of the input (`useInput`) for a text of a project. */
export const projectFieldKey = (projectId: string, field: ProjectField) => `project/${projectId}/${field}`

/**
 * Edits a text of a project in place. What is entered stays until it is saved or discarded, also while other pages are shown.
 * @returns `field` and `opener` are the refs of the field, and of the button that shows it
 */
export function useProjectField<Field extends HTMLElement>(project: Project, name: ProjectField) {
  const queryClient = useQueryClient()
  const input = useInput(projectFieldKey(project.id, name), { stored: project[name], onLeave: 'keep' })
  const field = useRef<Field>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const { isBusy, start } = useAction(
    `save the ${name} of ${project.id}`,
    async () => {
      try {
        // the text that the form shows as the stored one: the service refuses to replace another
        const body = { [name]: input.value, [`${name}_seen`]: project[name] }
        const changed = await updateProject(queryClient, project.id, body)
        void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
        input.markSaved(changed[name])
      } catch (error) {
        if (!hasErrorCode(error, 'changed_elsewhere')) throw error
        // loads the newer text, which the form then shows beside the entered one
        await queryClient.invalidateQueries({ queryKey: projectQuery(project.id).queryKey })
      }
    },
    t`The project could not be saved`,
  )
  // Escape discards a changed name, but not changed instructions, which may be long
  useEscape(
    'field',
    input.isOpen && !isBusy && (name === 'name' || !input.isDirty) ? input.reset : undefined,
    (target) => target === field.current,
  )
  // saving and discarding take the field away, and the focus with it
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !input.isOpen && isFocusLost()) opener.current?.focus()
    wasOpen.current = input.isOpen
  }, [input.isOpen])
  return {
    input,
    field,
    opener,
    isBusy,
    open: () => {
      // rendered at once, so that the field can take the focus
      flushSync(input.open)
      field.current?.focus()
    },
    // copied instructions become the user's own by saving them as they are
    save: () =>
      input.isDirty || (name === 'instructions' && project.copied_from !== undefined)
        ? start()
        : input.reset(),
  }
}
