import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Group } from '#shared/contracts/admin.ts'
import { groupNamePattern, normalizeGroupName } from '#shared/group-names.ts'
import { InvalidForm } from '../../../components/action-dialog.tsx'
import { useFormCheck } from '../../../components/use-form-check.ts'
import { useUserToast } from '../../../components/use-user-toast.ts'
import { hasErrorCode } from '../../../lib/api/has-error-code.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useInput } from '../../../lib/input/use-input.ts'
import { adminKey, groupsQuery } from '../admin-queries.ts'
import { maxGroupNameCharacters } from '../service-limits.ts'
import { findLimitProblems, toDraft, toLimits, type LimitsDraft } from './limits-draft.ts'

/** What is entered about a group. */
export interface GroupInput {
  name: string
  description: string
  draft: LimitsDraft
}

/** What the form begins with. @param group undefined for a new group; the name of another one cannot be changed */
const toInput = (group: Group | undefined): GroupInput => ({
  name: '',
  description: group?.description ?? '',
  draft: toDraft(group?.limits ?? {}),
})

/**
 * The form of a group, and saving it.
 * @param edited undefined for a new group
 * @returns `newerGroup` is what somebody else has saved meanwhile; `save` throws InvalidForm while there are problems, and when it has found a newer group
 */
export function useGroupForm(edited: Group | undefined) {
  const queryClient = useQueryClient()
  const showToast = useUserToast()
  /**
   * as this dialog has saved it, or as somebody else has: text that was typed meanwhile keeps the dialog open, and the next save changes this
   * group
   */
  const [saved, setSaved] = useState<Group>()
  const stored = toInput(edited && (saved ?? edited))
  const input = useInput(`group/${edited?.name ?? ''}`, { stored })
  const { name, description, draft } = input.value
  const group = edited ?? (saved?.name === normalizeGroupName(name) ? saved : undefined)
  const [version, setVersion] = useState(edited?.version ?? 0)
  const [newerGroup, setNewerGroup] = useState<Group>()
  const isNameValid = groupNamePattern.test(normalizeGroupName(name))
  const { problems, check } = useFormCheck({
    ...findLimitProblems(draft),
    name:
      group || isNameValid
        ? undefined
        : t`Please use 1 to ${{ max: maxGroupNameCharacters }} letters, digits, blanks and - _ . & + ( ).`,
  })

  const replaceInput = (loaded: Group) => {
    setSaved(loaded)
    setNewerGroup(undefined)
    if (edited) input.reset()
    else input.change({ ...toInput(loaded), name })
  }
  const update = async ({ name: groupName }: Group, body: Pick<Group, 'description' | 'limits'>) => {
    try {
      return await callApi('admin.updateGroup', { params: { groupName }, body: { ...body, version } })
    } catch (error) {
      if (!hasErrorCode(error, 'group_changed')) throw error
      // a response that is under way may be older
      await queryClient.cancelQueries({ queryKey: groupsQuery.queryKey })
      const groups = await queryClient.fetchQuery(groupsQuery)
      const currentGroup = groups.find((each) => each.name === groupName)
      if (!currentGroup) throw error
      // saving again replaces the newer version
      setVersion(currentGroup.version)
      setNewerGroup(currentGroup)
      throw new InvalidForm()
    }
  }
  const save = async () => {
    if (!check()) throw new InvalidForm()
    const body = { description: description.trim(), limits: toLimits(draft) }
    const { group: next } = await (group
      ? update(group, body)
      : callApi('admin.createGroup', { body: { name, ...body } }))
    setSaved(next)
    setVersion(next.version)
    setNewerGroup(undefined)
    input.markSaved(edited ? toInput(next) : stored)
    // text that was entered meanwhile keeps the dialog open, so that nothing else tells of the creation
    if (!group && input.isDirty)
      showToast('success', t`Group “${{ name: normalizeGroupName(name) }}” was created`)
    await queryClient.invalidateQueries({ queryKey: adminKey })
  }
  return {
    input,
    group,
    newerGroup,
    replaceInput,
    problems,
    save,
  }
}
