import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Group } from '#shared/contracts/admin.ts'
import { Callout } from '../../../components/ui/callout.tsx'
import { TextField } from '../../../components/ui/field.tsx'
import { useUserToast } from '../../../components/use-user-toast.ts'
import { ApiError } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import { useConfig } from '../../../lib/config.ts'
import { ActionDialog, InvalidForm } from '../../../components/action-dialog.tsx'
import { groupNamePattern, normalizeGroupName } from '#shared/group-names.ts'
import { adminKey, groupsQuery } from '../admin-queries.ts'
import { describeLimits } from '../describe-limits.ts'
import { findInvalidLimits, toDraft, toLimits } from './limits-draft.ts'
import { LimitsForm } from './limits-form.tsx'
import { useInput } from '../../../lib/use-input.ts'

const describeConflict = (limits: string) =>
  t`Somebody else has changed this group meanwhile. It now says: ${limits} Save again to replace that, or use the newer version.`
const joinPhrases = (description: string, limits: readonly string[]) =>
  [description, limits.join(', ')]
    .map((part) => part.trim().replace(/[.]$/, ''))
    .filter(Boolean)
    .join('; ') + '.'

/** Creates a group, or changes its description and limits. @param group undefined for a new one */
export function GroupDialog({
  group: edited,
  open,
  onClose,
}: {
  group: Group | undefined
  open: boolean
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const showToast = useUserToast()
  const models = useConfig()?.models
  const stored = { name: '', description: edited?.description ?? '', draft: toDraft(edited?.limits ?? {}) }
  const input = useInput(`group/${edited?.name ?? ''}`, { stored })
  const { name, description, draft } = input.value
  const [created, setCreated] = useState<Group>()
  // after its creation the dialog may stay open, for text that was typed meanwhile: it then changes the new group
  const group = edited ?? (created?.name === normalizeGroupName(name) ? created : undefined)
  const [version, setVersion] = useState(edited?.version ?? 0)
  /** the version that somebody else has saved meanwhile */
  const [newerGroup, setNewerGroup] = useState<Group>()
  const [isValidated, setIsValidated] = useState(false)
  const invalidLimits = isValidated ? findInvalidLimits(draft) : []
  const isNameValid = groupNamePattern.test(normalizeGroupName(name))
  const hasNameProblem = isValidated && !group && !isNameValid

  const replaceDraft = (loaded: Group) => {
    input.change({ name, description: loaded.description, draft: toDraft(loaded.limits) })
    setNewerGroup(undefined)
  }
  const save = async () => {
    setIsValidated(true)
    if (findInvalidLimits(draft).length > 0 || (!group && !isNameValid)) throw new InvalidForm()
    const body = { description: description.trim(), limits: toLimits(draft) }
    if (!group) {
      const { group: next } = await callApi('admin.createGroup', { body: { name, ...body } })
      setCreated(next)
      setVersion(next.version)
    } else
      await callApi('admin.updateGroup', {
        params: { groupName: group.name },
        body: { ...body, version },
      }).catch(async (error: unknown) => {
        if (!(error instanceof ApiError && error.code === 'group_changed')) throw error
        const groups = await queryClient.fetchQuery(groupsQuery)
        const currentGroup = groups.find((each) => each.name === group.name)
        if (!currentGroup) throw error
        // saving again replaces the newer version
        setVersion(currentGroup.version)
        setNewerGroup(currentGroup)
        throw new InvalidForm()
      })
    input.markSaved(edited ? input.value : stored)
    if (!group && input.isDirty)
      showToast('success', t`Group “${{ name: normalizeGroupName(name) }}” was created`)
    await queryClient.invalidateQueries({ queryKey: adminKey })
  }
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      wide
      inputs={[input]}
      title={group ? t`Group “${group.name}”` : t`New group`}
      confirmLabel={group ? t`Save` : t`Create group`}
      actionKey={`group ${group?.name ?? 'new'}`}
      onConfirm={save}
    >
      {!edited && (
        <TextField
          label={t`Name`}
          hint={t`It cannot be changed later.`}
          input={input.at('name')}
          error={
            hasNameProblem ? t`Please use 1 to 64 letters, digits, blanks and - _ . & + ( ).` : undefined
          }
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          dir="auto"
        />
      )}
      <TextField
        label={t`Description`}
        input={input.at('description')}
        autoComplete="off"
        maxLength={500}
        dir="auto"
      />
      <LimitsForm input={input} invalidLimits={invalidLimits} />
      {newerGroup && (
        <Callout
          variant="danger"
          action={{ label: t`Use the newer version`, onClick: () => replaceDraft(newerGroup) }}
        >
          {describeConflict(joinPhrases(newerGroup.description, describeNewer(newerGroup, models)))}
        </Callout>
      )}
    </ActionDialog>
  )
}

const describeNewer = (group: Group, models: Parameters<typeof describeLimits>[1]) => {
  const phrases = describeLimits(group.limits, models)
  return phrases.length === 0 ? [t`no limits of its own`] : phrases
}
